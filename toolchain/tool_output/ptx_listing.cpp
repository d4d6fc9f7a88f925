// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/tool_output/ptx_listing.h"

#include "toolchain/tool_output/listed_source.h"
#include "toolchain/tool_output/ptxas_report.h"

#include <QHash>
#include <QRegularExpression>
#include <QStringList>

namespace warpwright {
namespace {

QString withoutComment(const QString &line) {
    const auto at = line.indexOf(QLatin1String("//"));
    return (at < 0 ? line : line.left(at)).trimmed();
}

/// Of what stands before a function's body; 0: none.
int launchBoundOf(const QString &head) {
    static const QRegularExpression bound(
        QStringLiteral("\\.(?:max|req)ntid\\s+(\\d+)(?:\\s*,\\s*(\\d+))?(?:\\s*,\\s*(\\d+))?"));
    const auto bounds = bound.match(head);
    if (!bounds.hasMatch())
        return 0;
    qint64 threads = 1;
    for (int i = 1; i <= 3; ++i)
        if (const qint64 value = bounds.captured(i).toLongLong(); value > 0)
            threads = std::min<qint64>(threads * std::min<qint64>(value, 1024), 1024);
    return static_cast<int>(threads);
}

/// `.file 1 "/tmp/rows.cu"[, time, size]`: they stand behind the code that names them.
QHash<int, QString> filesOf(const QStringList &lines) {
    static const QRegularExpression form(QStringLiteral("^\\s*\\.file\\s+(\\d+)\\s+\"([^\"]*)\""));
    QHash<int, QString> files;
    for (const QString &line : lines)
        if (line.contains(QLatin1String(".file")))
            if (const auto match = form.match(line); match.hasMatch())
                files[match.captured(1).toInt()] = listedSource(match.captured(2).toUtf8());
    return files;
}

class PtxReader {
public:
    std::vector<KernelCode> read(const QByteArray &text) {
        const QStringList lines = QString::fromUtf8(text).split(QLatin1Char('\n'));
        m_files = filesOf(lines);
        for (const QString &line : lines) {
            // The sections of debug information that follow are as long as the code.
            if (m_depth == 0 && line.contains(QLatin1String(".section")))
                m_isInSection = true;
            QString rest = withoutComment(line);
            if (m_isInSection) {
                m_isInSection = !rest.startsWith(QLatin1Char('}'));
                continue;
            }
            while (!rest.isEmpty())
                rest = (m_depth == 0 ? takeHead(rest) : takeBody(rest)).trimmed();
        }
        for (KernelCode &kernel : m_kernels)
            kernel.arch = m_arch;
        return std::move(m_kernels);
    }

private:
    /// Outside of functions; gives what is left of the line.
    QString takeHead(const QString &line) {
        if (m_head.isEmpty() && line.startsWith(QLatin1String(".target"))) {
            m_arch = line.mid(7).section(QLatin1Char(','), 0, 0).trimmed();
            return {};
        }
        static const QRegularExpression stops(QStringLiteral("[;{]"));
        const auto at = line.indexOf(stops);
        if (at < 0) {
            // Directives of a line end without a sign; only the head of a function goes on.
            const bool isHead = !m_head.isEmpty() || line.contains(QLatin1String(".entry")) ||
                                line.contains(QLatin1String(".func")) ||
                                line.contains(QLatin1String(".global")) ||
                                line.contains(QLatin1String(".const"));
            if (isHead && m_head.size() < longestHead)
                m_head += line + QLatin1Char(' ');
            return {};
        }
        const QString head = m_head + line.left(at);
        m_head.clear();
        if (line[at] == QLatin1Char('{'))
            open(head);
        return line.mid(at + 1);
    }

    void open(const QString &head) {
        static const QRegularExpression form(
            QStringLiteral("\\.(entry|func)\\s*(?:\\([^)]*\\))?\\s*([\\w$%]+)"));
        m_depth = 1;
        m_code = KernelCode();
        m_location.clear();
        m_isFunction = false;
        const auto match = form.match(head);
        if (!match.hasMatch())
            return; // values of a variable
        m_isFunction = true;
        m_code.isFunction = match.captured(1) == QLatin1String("func");
        m_code.mangled = match.captured(2);
        m_code.name = demangled(m_code.mangled);
        m_code.launchThreads = launchBoundOf(head);
    }

    /// Inside of a function; gives what is left of the line.
    QString takeBody(const QString &line) {
        static const QRegularExpression label(QStringLiteral("^([\\w$%]+):(?!:)"));
        if (m_statement.isEmpty()) {
            if (line.startsWith(QLatin1Char('{'))) {
                ++m_depth;
                return line.mid(1);
            }
            if (line.startsWith(QLatin1Char('}'))) {
                if (--m_depth == 0)
                    close();
                return line.mid(1);
            }
            if (line.startsWith(QLatin1String(".loc"))) {
                m_location = chainOf(line);
                return {};
            }
            if (const auto match = label.match(line); match.hasMatch()) {
                CodeLine made;
                made.kind = CodeLine::Kind::Label;
                made.opcode = match.captured(1);
                m_code.lines.push_back(std::move(made));
                return line.mid(match.capturedLength());
            }
        }
        const auto end = line.indexOf(QLatin1Char(';'));
        if (end < 0) {
            if (m_statement.size() < longestHead)
                m_statement += line + QLatin1Char(' ');
            return {};
        }
        takeStatement((m_statement + line.left(end)).simplified());
        m_statement.clear();
        return line.mid(end + 1);
    }

    void takeStatement(QString text) {
        if (!m_isFunction || text.isEmpty() || text.startsWith(QLatin1Char('.')))
            return;
        CodeLine made;
        if (text.startsWith(QLatin1Char('@'))) {
            made.predicate = text.section(QLatin1Char(' '), 0, 0);
            text.remove(0, made.predicate.size() + 1);
        }
        made.opcode = text.section(QLatin1Char(' '), 0, 0);
        made.operands = text.mid(made.opcode.size() + 1);
        // Parameters carry the whole mangled name of their kernel.
        made.operands.replace(m_code.mangled + QLatin1String("_param_"), QLatin1String("param_"));
        if (made.opcode.isEmpty())
            return;
        made.chain = ChainCollector(m_code.chains).numberOf(m_location);
        m_code.lines.push_back(std::move(made));
    }

    /// `.loc 1 7 5, function_name $L__info_string0, inlined_at 1 23 9`. nvcc writes the line of a call before
    /// that of what was inlined there, so chains of several levels are followed through `m_callers`.
    PlaceChain chainOf(const QString &line) {
        static const QRegularExpression form(QStringLiteral(
            "^\\.loc\\s+(\\d+)\\s+(\\d+)\\s+(\\d+)(?:.*\\binlined_at\\s+(\\d+)\\s+(\\d+)\\s+(\\d+))?"));
        const auto match = form.match(line);
        if (!match.hasMatch() || match.captured(2).toInt() <= 0)
            return {};
        const auto key = [](const QString &file, const QString &at, const QString &column) {
            return file + QLatin1Char(':') + at + QLatin1Char(':') + column;
        };
        PlaceChain chain{{m_files.value(match.captured(1).toInt()), match.captured(2).toInt()}};
        if (match.hasCaptured(4)) {
            const QString caller = key(match.captured(4), match.captured(5), match.captured(6));
            const auto known = m_callers.constFind(caller);
            if (known != m_callers.constEnd() && known->size() < deepestChain)
                chain.insert(chain.end(), known->begin(), known->end());
            else
                chain.push_back({m_files.value(match.captured(4).toInt()), match.captured(5).toInt()});
        }
        m_callers[key(match.captured(1), match.captured(2), match.captured(3))] = chain;
        return chain;
    }

    void close() {
        if (m_isFunction)
            m_kernels.push_back(std::move(m_code));
        m_code = KernelCode();
        m_isFunction = false;
        m_callers.clear();
    }

    static constexpr qsizetype longestHead = 64 * 1024;
    static constexpr std::size_t deepestChain = 64;

    std::vector<KernelCode> m_kernels;
    QHash<int, QString> m_files;
    QHash<QString, PlaceChain> m_callers;
    KernelCode m_code;
    PlaceChain m_location;
    QString m_arch;
    QString m_head;
    QString m_statement;
    int m_depth = 0;
    bool m_isFunction = false;
    bool m_isInSection = false;
};

} // namespace

std::vector<KernelCode> parsePtx(const QByteArray &text) {
    return PtxReader().read(text);
}

QHash<QString, int> launchBoundsIn(const QByteArray &ptx) {
    static const QRegularExpression name(QStringLiteral("^\\.entry\\s+([\\w$%]+)"));
    QHash<QString, int> bounds;
    for (auto at = ptx.indexOf(".entry"); at >= 0; at = ptx.indexOf(".entry", at + 1)) {
        const auto body = ptx.indexOf('{', at);
        const QString head = QString::fromUtf8(ptx.mid(at, body < 0 ? -1 : body - at));
        if (const auto match = name.match(head); match.hasMatch() && body >= 0)
            bounds.insert(match.captured(1), launchBoundOf(head));
    }
    return bounds;
}

} // namespace warpwright
