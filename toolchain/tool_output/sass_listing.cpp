// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/tool_output/sass_listing.h"

#include "toolchain/tool_output/listed_source.h"
#include "toolchain/tool_output/ptxas_report.h"

#include <QByteArrayView>
#include <QHash>

#include <optional>

namespace warpwright {
namespace {

/// `File "a.cuh", line 7 inlined at "b.cu", line 23`: the place, and where it was inlined.
struct LineRemark {
    CodePlace place;
    std::optional<CodePlace> inlinedAt;
};

/// `"path", line 12` at the start of `text`, which is moved behind it.
std::optional<CodePlace> takePlace(QByteArrayView &text) {
    constexpr QByteArrayView word = ", line ";
    if (!text.startsWith('"'))
        return std::nullopt;
    const auto end = text.indexOf(word, 1);
    if (end < 2 || text[end - 1] != '"')
        return std::nullopt;
    CodePlace place;
    place.file = listedSource(text.sliced(1, end - 2));
    text = text.sliced(end + word.size());
    qsizetype digits = 0;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9' && digits < 9)
        place.line = place.line * 10 + (text[digits++] - '0');
    text = text.sliced(digits);
    return digits == 0 ? std::nullopt : std::optional(place);
}

std::optional<LineRemark> readRemark(QByteArrayView line) {
    constexpr QByteArrayView start = "//## File ";
    constexpr QByteArrayView inlined = " inlined at ";
    if (!line.startsWith(start))
        return std::nullopt;
    line = line.sliced(start.size());
    LineRemark remark;
    const auto place = takePlace(line);
    if (!place)
        return std::nullopt;
    remark.place = *place;
    if (line.startsWith(inlined)) {
        line = line.sliced(inlined.size());
        remark.inlinedAt = takePlace(line);
    }
    return remark;
}

/// "$kernel$function" of a function that was not inlined, "$__internal_0_$__cuda_…" of CUDA's own.
QString functionLabel(const QString &label) {
    return demangled(label.section(QLatin1Char('$'), -1));
}

/// In a call or a return the function's name as a person reads it: "`(slow(float, int))".
QString withReadableTarget(const QString &operands) {
    const auto start = operands.indexOf(QLatin1String("`("));
    const auto end = operands.lastIndexOf(QLatin1Char(')'));
    if (start < 0 || end < start)
        return operands;
    const QString target = operands.mid(start + 2, end - start - 2);
    if (!target.startsWith(QLatin1Char('$')) && !target.startsWith(QLatin1String("_Z")))
        return operands;
    return operands.left(start + 2) + functionLabel(target) + operands.mid(end);
}

/// `/*01a0*/    @!P0 LDG.E R4, [R2] ;` without anything behind the semicolon.
std::optional<CodeLine> readInstruction(QByteArrayView line) {
    if (!line.startsWith("/*"))
        return std::nullopt;
    const auto end = line.indexOf("*/");
    if (end < 3 || end > 18)
        return std::nullopt;
    bool isNumber = false;
    CodeLine made;
    made.address = line.sliced(2, end - 2).toByteArray().toLongLong(&isNumber, 16);
    QByteArrayView rest = line.sliced(end + 2).trimmed();
    const auto stop = rest.indexOf(';');
    if (!isNumber || stop < 0)
        return std::nullopt; // data: `/*0000*/ .word 0x1`
    QString text = QString::fromUtf8(rest.first(stop)).simplified();
    if (text.startsWith(QLatin1String("{ "))) // two that are issued together
        text.remove(0, 2);
    if (text.startsWith(QLatin1Char('@'))) {
        made.predicate = text.section(QLatin1Char(' '), 0, 0);
        text.remove(0, made.predicate.size() + 1);
    }
    made.opcode = text.section(QLatin1Char(' '), 0, 0);
    made.operands = withReadableTarget(text.mid(made.opcode.size() + 1));
    return made.opcode.isEmpty() ? std::nullopt : std::optional(made);
}

/// The name in `//------ .text._Z4tilePKf ------`: with its section's kind.
QByteArray sectionOf(QByteArrayView line) {
    if (!line.startsWith("//---") || line.startsWith("//----- nvinfo"))
        return {};
    const QByteArray text = line.toByteArray();
    const auto start = text.indexOf(' ');
    const auto end = text.indexOf(' ', start + 1);
    return start < 0 || end < 0 ? QByteArray() : text.mid(start + 1, end - start - 1);
}

class SassReader {
public:
    std::vector<KernelCode> read(const QByteArray &text) {
        qsizetype start = 0;
        while (start < text.size()) {
            auto end = text.indexOf('\n', start);
            if (end < 0)
                end = text.size();
            take(QByteArrayView(text).sliced(start, end - start).trimmed());
            start = end + 1;
        }
        closeKernel();
        for (KernelCode &kernel : m_kernels) {
            kernel.launchThreads = m_launchThreads.value(kernel.mangled);
            kernel.arch = m_arch;
        }
        return std::move(m_kernels);
    }

private:
    void take(QByteArrayView line) {
        if (const QByteArray section = sectionOf(line); !section.isEmpty())
            enter(section);
        else if (line.startsWith(".target"))
            m_arch = QString::fromUtf8(line.sliced(7).trimmed()).section(QLatin1Char(','), 0, 0).trimmed();
        else if (m_isInText)
            takeCode(line);
        else if (!m_infoOf.isEmpty())
            takeInfo(line);
    }

    void enter(const QByteArray &section) {
        closeKernel();
        m_isInText = section.startsWith(".text.");
        m_infoOf = section.startsWith(".nv.info.") ? QString::fromUtf8(section.mid(9)) : QString();
        m_infoWords = -1;
        if (!m_isInText)
            return;
        m_kernel = KernelCode();
        m_kernel.mangled = QString::fromUtf8(section.mid(6));
        m_kernel.name = demangled(m_kernel.mangled);
        m_chain.clear();
        m_isChainOpen = false; // of a listing that was cut in the middle of one
        m_isEntry = false;
    }

    void takeCode(QByteArrayView line) {
        if (const auto instruction = readInstruction(line)) {
            CodeLine made = *instruction;
            made.chain = ChainCollector(m_kernel.chains).numberOf(m_chain);
            m_isChainOpen = false;
            m_kernel.lines.push_back(std::move(made));
        } else if (const auto remark = readRemark(line)) {
            // A level that was inlined is followed by the line of its call, which ends the chain or goes on.
            if (m_isChainOpen && m_chain.back() == remark->place) {
                m_chain.pop_back();
            } else {
                m_chain.clear();
            }
            m_chain.push_back(remark->place);
            if (remark->inlinedAt)
                m_chain.push_back(*remark->inlinedAt);
            m_isChainOpen = remark->inlinedAt.has_value();
        } else if (line.endsWith(':') && !line.startsWith('/')) {
            takeLabel(QString::fromUtf8(line.chopped(1)));
        } else if (line.startsWith(".other") && line.contains("STO_CUDA_ENTRY")) {
            m_isEntry = true;
        }
    }

    void takeLabel(const QString &label) {
        if (label == m_kernel.mangled || label.startsWith(QLatin1String(".text.")))
            return;
        CodeLine made;
        made.kind = CodeLine::Kind::Label;
        made.opcode = label.startsWith(QLatin1Char('$')) ? functionLabel(label) : label;
        m_kernel.lines.push_back(std::move(made));
    }

    /// The first of the three words of EIATTR_MAX_THREADS, or of EIATTR_REQNTID, is blockDim.x's bound; the
    /// block has their product.
    void takeInfo(QByteArrayView line) {
        if (line.startsWith("//----- nvinfo")) {
            const bool isBound = line.endsWith("EIATTR_MAX_THREADS") || line.endsWith("EIATTR_REQNTID");
            m_infoWords = isBound ? 0 : -1;
            m_infoProduct = 1;
        } else if (const auto at = line.indexOf(".word"); m_infoWords >= 0 && at >= 0) {
            bool isNumber = false;
            const qint64 value = line.sliced(at + 5).trimmed().toByteArray().toLongLong(&isNumber, 0);
            if (!isNumber || value < 1 || value > 1024)
                m_infoWords = -1;
            else if (m_infoProduct *= static_cast<int>(value); ++m_infoWords == 3) {
                m_launchThreads[m_infoOf] = m_infoProduct;
                m_infoWords = -1;
            }
        }
    }

    /// Code is filled up to 128 bytes: a jump to itself, and NOPs.
    void closeKernel() {
        if (!m_isInText)
            return;
        m_isInText = false;
        std::vector<CodeLine> &lines = m_kernel.lines;
        const auto isLabel = [&lines] {
            return !lines.empty() && lines.back().kind == CodeLine::Kind::Label;
        };
        const auto dropLabels = [&] {
            while (isLabel())
                lines.pop_back();
        };
        dropLabels();
        while (!lines.empty() && lines.back().opcode == QLatin1String("NOP")) {
            lines.pop_back();
            dropLabels();
        }
        if (lines.size() >= 2) {
            const CodeLine &last = lines.back();
            const CodeLine &before = lines[lines.size() - 2];
            if (last.opcode.section(QLatin1Char('.'), 0, 0) == QLatin1String("BRA") &&
                before.kind == CodeLine::Kind::Label &&
                last.operands == QStringLiteral("`(%1)").arg(before.opcode))
                lines.resize(lines.size() - 2);
        }
        if (m_isEntry)
            m_kernels.push_back(std::move(m_kernel));
    }

    std::vector<KernelCode> m_kernels;
    QHash<QString, int> m_launchThreads;
    KernelCode m_kernel;
    PlaceChain m_chain;
    QString m_arch;
    QString m_infoOf; ///< the kernel whose .nv.info is being read
    int m_infoWords = -1;
    int m_infoProduct = 1;
    bool m_isChainOpen = false; ///< the remark before said «inlined at»
    bool m_isInText = false;
    bool m_isEntry = false;
};

} // namespace

std::vector<KernelCode> parseSass(const QByteArray &text) {
    return SassReader().read(text);
}

} // namespace warpwright
