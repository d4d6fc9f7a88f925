// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/column_scan.h"

#include "agent/playbook/analysis/integer_ranges.h"
#include "agent/playbook/codegen/cuda/device_helpers.h"
#include "agent/playbook/codegen/cuda/kernel_header.h"
#include "agent/playbook/codegen/cuda/launcher.h"
#include "agent/playbook/codegen/cuda/loops/templates/column_scan.h"
#include "agent/playbook/codegen/cuda/thread_mapping_text.h"
#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/kernel_writer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/ir/kernel_rewriter.h"
#include "agent/playbook/schedule/column_scan.h"
#include "agent/playbook/schedule/reduction_schedule.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t longSumOfChunks = 65536; ///< longer sums in float lose digits that torch's sums keep

/// The kernel's scan step.
int scanOf(const Kernel &kernel) {
    const auto scan = std::find_if(kernel.steps.begin(), kernel.steps.end(),
                                   [](const KernelStep &step) { return isScan(step.op); });
    return static_cast<int>(scan - kernel.steps.begin());
}

const QString positionLine =
    QStringLiteral("            const int c = begin + k < kColumns ? begin + k : kColumns - 1;\n");

/// The line, if the text uses the name that it declares.
QString linesNamedIn(const QString &text, const QString &line) {
    return namedIn(text, {line}).join(QString());
}

class Writer : private KernelWriter {
public:
    explicit Writer(const KernelSource &source)
        : KernelWriter(source),
          m_schedule(scheduleOf(source.kernel, RowCaching::Nothing)),
          m_loops(source.kernel),
          m_scan(scanOf(source.kernel)),
          m_scanCode(scanCode(source.kernel, m_scan, source.kernel.columns() > longSumOfChunks)),
          m_text(source.kernel, CodeDialect::Cuda, [this](int input) { return inputText(input); }) {}

    QString run() {
        if (!m_scanCode.function.isEmpty())
            m_text.calls(m_scanCode.function);
        for (const QString &line : cudaRowLines(m_kernel, {MappingMode::ColumnScan}) +
                                       m_loops.outerCounterLines(m_kernel.rows() < (std::int64_t(1) << 31)))
            m_rowLines += QStringLiteral("    %1\n").arg(line);
        int count = 0;
        for (const std::vector<int> &ofRow : m_schedule.named)
            for (const int step : ofRow)
                m_rowLines += m_text.constant(step, QStringLiteral("r%1").arg(++count), 4);
        const ReductionPass &pass = m_schedule.passes.front();
        const int operand = m_kernel.step(m_scan).operands[0];
        const QString elementType = cTypeName(m_kernel.step(operand).type, true);
        const QString ahead = prefetchLines();
        const bool isAhead = !m_ahead.empty();
        const QString next =
            isAhead
                ? QStringLiteral("        if (first + THREADS_Y * kElementsPerThread < kColumns)\n"
                                 "            prefetch(begin + THREADS_Y * kElementsPerThread); // in flight "
                                 "while this chunk is processed\n")
                : QString();
        const std::set<int> needed = neededAfter(pass, operand);
        const Later later = cachedForLater(needed);
        QString before = elementsBefore(pass, operand);
        const bool isOfElement =
            m_kernel.step(operand).op != Opcode::Load &&
            std::find(pass.computed.begin(), pass.computed.end(), operand) != pass.computed.end();
        if (isOfElement && !m_text.isNamed(operand))
            before += m_text.constant(operand, QStringLiteral("element"), 12);
        const QString element = m_text.text(operand);
        m_ahead = later.names;
        forgetElements(pass);
        m_text.name(operand, QStringLiteral("elements[k]"));
        const int deep = isAhead ? 16 : 12;
        const QString elements = allElements(pass, needed, deep);
        const QString indent(deep + 4, QLatin1Char(' '));
        QString stores;
        for (const int some : pass.stores) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(some)];
            stores += wrapped(QStringLiteral("%1[%2] = %3;")
                                  .arg(m_names.nameOf(store.buffer),
                                       indexExpression(store.address, m_loops.allCounters()),
                                       m_text.stored(store.step, store.type)),
                              indent, indent + QString(4, QLatin1Char(' ')));
        }
        const bool readsMore = !isAhead && std::any_of(needed.begin(), needed.end(), [this](int step) {
            return m_kernel.step(step).op == Opcode::Load;
        });
        const QString column =
            readsMore ? positionLine
                      : QString(deep, QLatin1Char(' ')) + QStringLiteral("const int c = begin + k;\n");
        const QString taken = withCounters(before, element);
        const QString finish = fillTemplate(
            isAhead ? columnScanFinishWhole : columnScanFinish,
            {{"column", column}, {"elements", withCounters(elements, stores, deep)}, {"stores", stores}});
        const QString body = fillTemplate(
            columnScanText,
            {{"piece", QString::number(scanChunk)},
             {"functions", QStringLiteral("@functions@")},
             {"head", QStringLiteral("@head@")},
             {"rowLines", m_rowLines},
             {"type", m_scanCode.type},
             {"combined", m_scanCode.combined(QStringLiteral("a"), QStringLiteral("b"))},
             {"start", m_scanCode.start},
             {"elementType", elementType},
             {"ahead", ahead},
             {"together", isAhead ? QString() : QStringLiteral(" // all loads in flight together")},
             {"place", isAhead ? linesNamedIn(taken + element, positionLine) : positionLine},
             {"now", later.arrays},
             {"taken", later.copies},
             {"next", next},
             {"before", taken},
             {"element", element},
             {"startOfElement", elementType == m_scanCode.type
                                    ? m_scanCode.start
                                    : QStringLiteral("%1(%2)").arg(elementType, m_scanCode.start)},
             {"total", totalOfPiece()},
             {"finish", finish},
             {"launcher", QStringLiteral("@launcher@")}});
        return fillTemplate(withInt32Indexing(m_kernel, body),
                            {{"functions", helperFunctions(m_text.functions(), CodeDialect::Cuda)},
                             {"head", cudaSignature(m_graph, m_program, m_names).chopped(1)},
                             {"launcher", cudaLauncher(source(), scanWarps(m_kernel))}});
    }

private:
    /// `lines`, preceded by the inner counters that they and `user` use.
    [[nodiscard]] QString withCounters(const QString &lines, const QString &user = {},
                                       int indent = 12) const {
        QString text;
        for (const QString &line : namedIn(lines + user, m_loops.innerCounterLines()))
            text += QString(indent, QLatin1Char(' ')) + line + QLatin1Char('\n');
        return text + lines;
    }

    /// Lines that prefetch a chunk's elements into arrays.
    QString prefetchLines() {
        std::map<int, QString> names;
        QString arrays;
        QString loads;
        for (const int input : prefetchedScanInputs(m_kernel)) {
            const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(input)];
            const QString name = vecName(m_names.nameOf(what.buffer), names, QStringLiteral("Prefetched"));
            names[input] = name;
            arrays +=
                QStringLiteral("    %1 %2[kElementsPerThread];\n").arg(cTypeName(what.type, true), name);
            loads += QStringLiteral("            %1[k] = %2;\n").arg(name, inputText(input));
        }
        m_ahead = names;
        return names.empty()
                   ? QString()
                   : QStringLiteral("    // A chunk is prefetched while the one before is processed.\n%1"
                                    "    const auto prefetch = [&](int begin) {\n"
                                    "#pragma unroll\n"
                                    "        for (int k = 0; k < kElementsPerThread; ++k) {\n%2%3"
                                    "        }\n"
                                    "    };\n"
                                    "    prefetch(static_cast<int>(threadIdx.y) * kElementsPerThread);\n")
                         .arg(arrays, positionLine, withCounters(loads));
    }

    /// Copies of elements used again after the scan, when the next chunk is prefetched into the arrays.
    struct Later {
        std::map<int, QString> names; ///< by input
        QString arrays;
        QString copies;
    };
    [[nodiscard]] Later cachedForLater(const std::set<int> &needed) const {
        Later later;
        for (const auto &[input, ahead] : m_ahead) {
            if (std::none_of(needed.begin(), needed.end(), [this, input = input](int step) {
                    return m_kernel.step(step).op == Opcode::Load && m_kernel.step(step).input == input;
                }))
                continue;
            const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(input)];
            const QString name = vecName(m_names.nameOf(what.buffer), later.names, QStringLiteral("Current"));
            later.names[input] = name;
            later.arrays +=
                QStringLiteral("        %1 %2[kElementsPerThread];\n").arg(cTypeName(what.type, true), name);
            later.copies += QStringLiteral("            %1[k] = %2[k];\n").arg(name, ahead);
        }
        return later;
    }

    [[nodiscard]] QString inputText(int input) const {
        if (const auto ahead = m_ahead.find(input); ahead != m_ahead.end())
            return ahead->second + QStringLiteral("[k]");
        if (input < 0)
            return indexExpression(m_kernel.step(-1 - input).index, m_loops.allCounters());
        const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(input)];
        return QStringLiteral("%1[%2]").arg(m_names.nameOf(what.buffer),
                                            indexExpression(what.address, m_loops.allCounters()));
    }

    QString elementsBefore(const ReductionPass &pass, int operand) {
        const std::set<int> needed = ancestorsOf(m_kernel, operand);
        QString lines;
        int count = 0;
        for (const int step : pass.computed)
            if (needed.contains(step) && usesIn(m_kernel, pass, step) > 1)
                lines += m_text.constant(step, QStringLiteral("h%1").arg(++count), 12);
        return lines;
    }

    /// Steps to compute per element after the scan.
    [[nodiscard]] std::set<int> neededAfter(const ReductionPass &pass, int operand) const {
        std::set<int> needed;
        for (const int some : pass.stores)
            needed.insert(m_kernel.stores[static_cast<std::size_t>(some)].step);
        for (auto step = pass.computed.rbegin(); step != pass.computed.rend(); ++step)
            if (needed.contains(*step) && *step != m_scan && *step != operand)
                needed.insert(m_kernel.step(*step).operands.begin(), m_kernel.step(*step).operands.end());
        std::erase_if(needed, [&](int step) {
            return step == operand ||
                   std::find(pass.computed.begin(), pass.computed.end(), step) == pass.computed.end();
        });
        needed.insert(m_scan);
        return needed;
    }

    // logsumexp takes one logarithm per chunk, not per element.
    [[nodiscard]] QString totalOfPiece() {
        if (m_kernel.step(m_scan).op == Opcode::ScanLogSumExp && m_scanCode.type == QLatin1String("float")) {
            m_text.calls(QStringLiteral("logSumExp"));
            return QStringLiteral("        const %1 total = logSumExp(elements); // of the chunk\n")
                .arg(m_scanCode.type);
        }
        return QStringLiteral("        %1 total = elements[0]; // of the chunk\n"
                              "#pragma unroll\n"
                              "        for (int k = 1; k < kElementsPerThread; ++k)\n"
                              "            total = combine(total, elements[k]);\n")
            .arg(m_scanCode.type);
    }

    QString allElements(const ReductionPass &pass, const std::set<int> &needed, int indent) {
        QString lines;
        int count = 0;
        for (const int step : pass.computed) {
            if (step == m_scan) {
                lines += QString(indent, QLatin1Char(' ')) +
                         QStringLiteral("running = combine(running, elements[k]);\n");
                const QString own = cTypeName(m_kernel.step(step).type, false);
                m_text.name(step, own == m_scanCode.type ? QStringLiteral("running")
                                                         : QStringLiteral("%1(running)").arg(own));
            } else if (needed.contains(step) && usesIn(m_kernel, pass, step) > 1) {
                lines += m_text.constant(step, QStringLiteral("h%1").arg(++count), indent);
            }
        }
        return lines;
    }

    void forgetElements(const ReductionPass &pass) {
        for (const int step : pass.computed)
            m_text.forget(step);
    }

    ReductionSchedule m_schedule;
    LoopNames m_loops;
    int m_scan;
    ScanCode m_scanCode;
    ExpressionPrinter m_text;
    QString m_rowLines;
    std::map<int, QString> m_ahead; ///< by input: array of its prefetched elements
};

QString rationaleOf(const Kernel &kernel) {
    const QString text = QStringLiteral(
        "The elements of a row are strided in memory, and adjacent elements belong to different "
        "rows. So the 32 threads of a warp take adjacent rows and load coalesced. The warps of a "
        "block split the rows into chunks: each thread reduces its chunk, the totals of all "
        "chunks are scanned in shared memory, and then each thread scans its elements from "
        "there.");
    const int warps = scanBlockWidth(kernel) / 32;
    return warps == 1 ? text
                      : text + QStringLiteral(" A block is %1 warps wide: memory is faster where several "
                                              "consecutive cache lines are read and written together.")
                                   .arg(warps);
}

} // namespace

QString columnScanCudaText(const KernelSource &source) {
    const ThreadMapping mapping{MappingMode::ColumnScan};
    return cudaHead(source.kernel, source.names, rationaleOf(source.kernel)) +
           QStringLiteral("namespace {\n\n") + cudaConstants(source.kernel, mapping, 1).trimmed() +
           QLatin1Char('\n') + Writer(source).run();
}

} // namespace warpwright
