// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/row_scan.h"

#include "agent/playbook/analysis/integer_ranges.h"
#include "agent/playbook/codegen/cuda/device_helpers.h"
#include "agent/playbook/codegen/cuda/kernel_header.h"
#include "agent/playbook/codegen/cuda/launcher.h"
#include "agent/playbook/codegen/cuda/loops/mapping_rationale.h"
#include "agent/playbook/codegen/cuda/loops/templates/row_scan.h"
#include "agent/playbook/codegen/cuda/loops/templates/unaligned_rows.h"
#include "agent/playbook/codegen/cuda/loops/unaligned_rows.h"
#include "agent/playbook/codegen/cuda/loops/vector_access.h"
#include "agent/playbook/codegen/cuda/thread_mapping_text.h"
#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/kernel_writer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/schedule/loop_space.h"
#include "agent/playbook/schedule/reduction_schedule.h"
#include "agent/playbook/schedule/row_scan.h"
#include "agent/playbook/schedule/thread_mapping.h"
#include "agent/playbook/schedule/vectorization.h"

#include <algorithm>
#include <map>
#include <set>

namespace warpwright {
namespace {

constexpr std::int64_t longSumOfChunks = 65536; ///< longer sums in float lose digits that torch's sums keep

class Writer : private KernelWriter {
public:
    Writer(const KernelSource &source, const UnalignedRows &rows)
        : KernelWriter(source),
          m_rows(rows),
          m_schedule(scheduleOf(source.kernel, RowCaching::Nothing)),
          m_pass(m_schedule.passes.front()),
          m_loops(source.kernel),
          m_text(source.kernel, CodeDialect::Cuda, [this](int input) { return inputText(input); }) {
        m_counters = m_loops.allCounters();
        m_counters.back() = QStringLiteral("column");
    }

    QString run() {
        for (const QString &line : cudaRowLines(m_kernel, {MappingMode::BlockPerRow}) +
                                       m_loops.outerCounterLines(m_kernel.rows() < (std::int64_t(1) << 31)) +
                                       leadLines(m_rows, m_loops.allCounters()))
            m_rowLines += QStringLiteral("    %1\n").arg(line);
        m_rowLines += rowSteps(0);
        beginSums();
        findStages();
        loadVectors();
        for (std::size_t stage = 0; stage < m_scans.size(); ++stage)
            formScan(stage);
        storeVectors();
        const QString rowEnd = endOfRow();
        const bool hasExclusiveScan =
            std::any_of(m_kernel.steps.begin(), m_kernel.steps.end(),
                        [](const KernelStep &step) { return step.op == Opcode::ScanExclusive; });
        const QString body = fillTemplate(
            rowScanText,
            {{"functions", QStringLiteral("@functions@")},
             {"result", hasExclusiveScan ? QStringLiteral("T") : QStringLiteral("void")},
             {"before", hasExclusiveScan
                            ? QStringLiteral(" Returns the scan before the thread's first element.")
                            : QString()},
             {"return", hasExclusiveScan ? QStringLiteral("    return before;\n") : QString()},
             {"meeting", m_pass.reductions.empty() ? QString() : reduceBlockText},
             {"rowEnd", rowEnd},
             {"parts", QStringLiteral("@parts@")},
             {"head", QStringLiteral("@head@")},
             {"rowLines", m_rowLines},
             {"begin", m_rows.hasLead() ? QStringLiteral("-misalignment") : QStringLiteral("0")},
             {"elements", m_body},
             {"launcher", QStringLiteral("@launcher@")}});
        QString parts = vecText;
        if (m_storesForwards)
            parts += storePartialVecText;
        if (m_storesBackwards)
            parts += storePartialVecReversedText;
        return fillTemplate(withInt32Indexing(m_kernel, body),
                            {{"functions", helperFunctions(m_text.functions(), CodeDialect::Cuda)},
                             {"parts", parts},
                             {"head", cudaSignature(m_graph, m_program, m_names).chopped(1)},
                             {"launcher", cudaLauncher(source(), blockPerRowConfigs(m_kernel, m_knobs))}});
    }

private:
    /// Named per-row values that loop p needs, or those after the last loop.
    QString rowSteps(std::size_t p) {
        QString lines;
        for (const int step : m_schedule.named[p])
            lines += m_text.constant(step, QStringLiteral("r%1").arg(++m_rowNames), 4);
        return lines;
    }

    void beginSums() {
        for (const int step : m_pass.reductions) {
            const ReductionCode sum = reductionCode(m_kernel, step, false);
            m_rowLines += QStringLiteral("    __shared__ %1 %2Partials[THREADS / 32];\n    %1 %2 = %3;\n")
                              .arg(sum.type, m_loops.accumulatorName(step), sum.start);
        }
    }

    /// Bounds check and updates of the reductions by an element.
    [[nodiscard]] QString addedToSums() {
        QString lines;
        const auto add = [&lines](const QString &text, int indent) {
            lines += wrapped(text, QString(indent, QLatin1Char(' ')), QString(indent + 4, QLatin1Char(' ')));
        };
        if (!m_pass.reductions.empty()) {
            add(isOfFullVectors(m_kernel, m_rows)
                    ? QStringLiteral("if (c >= kColumns)")
                    : QStringLiteral("if (unsigned(c + k) >= unsigned(kColumns))"),
                12);
            add(QStringLiteral("continue;"), 16);
        }
        for (const int step : m_pass.reductions) {
            const ReductionCode sum = reductionCode(m_kernel, step, false);
            const QString name = m_loops.accumulatorName(step);
            const QString element = m_text.text(m_kernel.step(step).operands[0]);
            if (const QString function = sum.extremeFunction(); !function.isEmpty())
                m_text.calls(function);
            add(sum.isExtreme() ? QStringLiteral("%1 = %2;").arg(name, sum.cudaExtreme(element, name))
                                : sum.update(name, element),
                12);
        }
        return lines;
    }

    [[nodiscard]] QString endOfRow() {
        const ThreadMapping mapping{MappingMode::BlockPerRow};
        QStringList lines;
        for (const int step : m_pass.reductions) {
            const ReductionCode sum = reductionCode(m_kernel, step, false);
            const QString name = m_loops.accumulatorName(step);
            lines << cudaCombineLine(mapping, sum.type, name,
                                     sum.isExtreme() ? sum.extreme(QStringLiteral("a"), QStringLiteral("b"))
                                                     : QStringLiteral("a %1 b").arg(sum.sign));
            m_text.name(step, name);
        }
        const QString named = rowSteps(1);
        QStringList stores;
        for (const int position : m_schedule.rowStores) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(position)];
            stores << QStringLiteral("%1[%2] = %3;")
                          .arg(m_names.nameOf(store.buffer),
                               indexExpression(store.address, m_loops.allCounters()),
                               m_text.stored(store.step, store.type));
        }
        const QStringList written = stores.isEmpty() ? QStringList() : cudaRowStoreLines(mapping, stores);
        return wrappedLines(lines, 4) + named + wrappedLines(written, 4);
    }

    [[nodiscard]] QString inputText(int input) const {
        if (input < 0)
            return indexExpression(m_kernel.step(-1 - input).index, m_counters);
        if (const auto spread = m_strided.find(input); spread != m_strided.end())
            return spread->second;
        if (const auto vec = m_vecs.find(input); vec != m_vecs.end())
            return vec->second + positionIn(m_kernel.inputs[static_cast<std::size_t>(input)].address);
        const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(input)];
        return QStringLiteral("%1[%2]").arg(m_names.nameOf(what.buffer),
                                            indexExpression(what.address, m_counters));
    }

    [[nodiscard]] static QString positionIn(const AffineExpr &address) {
        return runsBackward(address) ? QStringLiteral(".at[kWidth - 1 - k]") : QStringLiteral(".at[k]");
    }

    /// Address of the vector of the thread's elements.
    [[nodiscard]] QString beginOfVector(AffineExpr address) const {
        if (runsBackward(address))
            address.offset -= m_rows.width - 1;
        return indexExpression(address, m_loops.allCounters());
    }

    void line(const QString &text, int indent = 2) {
        const QString before(text.startsWith(QLatin1Char('#')) ? 0 : indent * 4, QLatin1Char(' '));
        m_body += wrapped(text, before, before + QString(4, QLatin1Char(' ')));
    }

    [[nodiscard]] bool isComputed(int step) const {
        return std::find(m_pass.computed.begin(), m_pass.computed.end(), step) != m_pass.computed.end();
    }

    [[nodiscard]] bool isRead(int step) const {
        const Opcode op = m_kernel.step(step).op;
        return op == Opcode::Load || op == Opcode::Index || op == Opcode::Number;
    }

    /// Finds the first stage (a scan each, then the stores) that needs a step, and what later stages reuse.
    void findStages() {
        for (const int step : m_pass.computed)
            if (isScan(m_kernel.step(step).op))
                m_scans.push_back(step);
        for (std::size_t stage = 0; stage <= m_scans.size(); ++stage) {
            std::set<int> roots;
            if (stage < m_scans.size())
                roots.insert(m_kernel.step(m_scans[stage]).operands[0]);
            else
                for (const int some : m_pass.stores)
                    roots.insert(m_kernel.stores[static_cast<std::size_t>(some)].step);
            if (stage == m_scans.size())
                for (const int sum : m_pass.reductions)
                    roots.insert(m_kernel.step(sum).operands[0]);
            const auto isNeeded = [&](int step) {
                const Opcode op = m_kernel.step(step).op;
                if (isScan(op) || op == Opcode::ScanExclusive || !isComputed(step))
                    return false;
                if (const auto first = m_stages.find(step);
                    first != m_stages.end() && first->second < stage) {
                    if (!isRead(step))
                        m_reused.insert(step);
                    return false;
                }
                m_stages[step] = stage;
                return true;
            };
            std::set<int> needed;
            for (const int root : roots)
                if (isNeeded(root))
                    needed.insert(root);
            for (auto step = m_pass.computed.rbegin(); step != m_pass.computed.rend(); ++step)
                if (needed.contains(*step))
                    for (const int operand : m_kernel.step(*step).operands)
                        if (isNeeded(operand))
                            needed.insert(operand);
        }
    }

    void loadVectors() {
        for (const int step : m_pass.computed) {
            const KernelStep &load = m_kernel.step(step);
            if (load.op != Opcode::Load || m_vecs.contains(load.input))
                continue;
            const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(load.input)];
            if (isOfFullVectors(m_kernel, m_rows) && isStridedVector(m_kernel, what, m_rows.width))
                loadStrided(load.input);
            if (!fitsVectors(m_kernel, m_rows, what.address))
                continue;
            const QString buffer = m_names.nameOf(what.buffer);
            const QString name = vecName(buffer, m_vecs);
            line(QStringLiteral("const auto %1 = %2;")
                     .arg(name, vecLoad(cTypeName(what.type, true), buffer, beginOfVector(what.address),
                                        QStringLiteral("c < kColumns"))));
            m_vecs[load.input] = name;
        }
    }

    /// Strided elements, such as a colour's channels, are loaded with those between them.
    void loadStrided(int input) {
        if (m_strided.contains(input))
            return;
        const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(input)];
        const std::int64_t apart = what.address.steps.back();
        const std::int64_t position = what.address.offset % apart;
        AffineExpr first = what.address;
        first.offset -= position;
        QString &name = m_interleaved[{what.buffer, first}];
        if (name.isEmpty()) {
            const QString buffer = m_names.nameOf(what.buffer);
            const QString type = cTypeName(what.type, true);
            name = vecName(buffer, m_vecs);
            m_vecs[-1 - static_cast<int>(m_kernel.stores.size()) - input] = name; // reserves the name
            QStringList vecs;
            for (std::int64_t i = 0; i < apart; ++i)
                vecs << vecLoad(type, buffer,
                                indexExpression(first, m_loops.allCounters()) +
                                    (i == 0 ? QString() : QStringLiteral(" + %1").arg(i * m_rows.width)),
                                QStringLiteral("c < kColumns"));
            line(QStringLiteral("const Vec<%1> %2[] = {%3};")
                     .arg(type, name, vecs.join(QStringLiteral(", "))));
        }
        m_strided[input] = stridedElement(name, apart, position);
    }

    void beginElements() {
        line(QStringLiteral("#pragma unroll"));
        line(QStringLiteral("for (int k = 0; k < kWidth; ++k) {"));
    }

    /// Appends the body of a loop over the thread's elements.
    void endElements(const QString &elements) {
        static const QString beyond = QStringLiteral("c + k < kColumns ? c + k : kColumns - 1");
        for (const QString &text :
             namedIn(elements,
                     {QStringLiteral("const int column = %1;")
                          .arg(m_rows.hasLead() ? QStringLiteral("c + k < 0 ? 0 : ") + beyond : beyond)}))
            line(text, 3);
        m_body += elements;
        line(QStringLiteral("}"));
    }

    QString computed(std::size_t stage) {
        QString lines;
        for (const int step : m_pass.computed) {
            const auto first = m_stages.find(step);
            if (first == m_stages.end() || first->second != stage)
                continue;
            if (m_reused.contains(step)) {
                const QString name = QStringLiteral("cached%1").arg(m_cached[step]);
                lines += wrapped(QStringLiteral("%1[k] = %2;").arg(name, m_text.definition(step)),
                                 QString(12, QLatin1Char(' ')), QString(16, QLatin1Char(' ')));
                m_text.name(step, name + QStringLiteral("[k]"));
            } else if (usesIn(m_kernel, m_pass, step) > 1 && !isRead(step) && !m_text.isNamed(step)) {
                lines += m_text.constant(step, QStringLiteral("h%1").arg(++m_named), 12);
            }
        }
        return lines;
    }

    void declareReused(std::size_t stage) {
        for (const int step : m_reused)
            if (m_stages[step] == stage) {
                m_cached[step] = static_cast<int>(m_cached.size()) + 1;
                line(QStringLiteral("%1 cached%2[kWidth];")
                         .arg(cTypeName(m_kernel.step(step).type, true))
                         .arg(m_cached[step]));
            }
    }

    void formScan(std::size_t stage) {
        const int step = m_scans[stage];
        const int operand = m_kernel.step(step).operands[0];
        const QString name = QStringLiteral("running") + (stage > 0 ? QString::number(stage + 1) : QString());
        const ScanCode scan = scanCode(m_kernel, step, m_kernel.columns() > longSumOfChunks);
        if (!scan.function.isEmpty())
            m_text.calls(scan.function);
        m_rowLines +=
            QStringLiteral("    __shared__ %1 %2Partials[2][THREADS / 32];\n"
                           "    %1 %2Carry = %3;\n"
                           "    const auto %2Combine = [](%1 a, %1 b) { return %4; };\n")
                .arg(scan.type, name, scan.start, scan.combined(QStringLiteral("a"), QStringLiteral("b")));
        declareReused(stage);
        line(QStringLiteral("%1 %2[kWidth];").arg(scan.type, name));
        beginElements();
        QString elements = computed(stage);
        const bool isNamed = m_text.isNamed(operand) || isRead(operand);
        if (m_rows.hasLead() && !isNamed)
            elements += m_text.constant(operand, QStringLiteral("element"), 12);
        elements += wrapped(
            QStringLiteral("%1[k] = %2%3;")
                .arg(name, m_rows.hasLead() ? QStringLiteral("c + k < 0 ? %1 : ").arg(scan.start) : QString(),
                     m_text.text(operand)),
            QString(12, QLatin1Char(' ')), QString(16, QLatin1Char(' ')));
        if (!isNamed)
            m_text.forget(operand);
        endElements(elements);
        const QString own = cTypeName(m_kernel.step(step).type, false);
        const auto asElement = [&](const QString &text) {
            return scan.type == own ? text : QStringLiteral("%1(%2)").arg(own, text);
        };
        QString before;
        for (std::size_t i = 0; i < m_kernel.steps.size(); ++i)
            if (m_kernel.steps[i].op == Opcode::ScanExclusive && m_kernel.steps[i].operands[0] == step) {
                before = name + QStringLiteral("Before");
                m_text.name(static_cast<int>(i),
                            asElement(QStringLiteral("(k > 0 ? %1[k - 1] : %2)").arg(name, before)));
            }
        line((before.isEmpty() ? QString() : QStringLiteral("const %1 %2 = ").arg(scan.type, before)) +
             QStringLiteral("scanBlockVectors<THREADS>(%1, %1Carry, %1Partials[stage], %1Combine);")
                 .arg(name));
        m_text.name(step, asElement(name + QStringLiteral("[k]")));
    }

    void storeVectors() {
        QStringList after;
        QStringList targets;
        for (const int some : m_pass.stores) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(some)];
            const QString buffer = m_names.nameOf(store.buffer);
            const QString vec = vecName(buffer, m_vecs);
            const QString type = cTypeName(store.type, true);
            m_vecs[-1 - some] = vec; // reserves the name
            line(QStringLiteral("Vec<%1> %2;").arg(type, vec));
            targets << vec + positionIn(store.address);
            if (isOfFullVectors(m_kernel, m_rows)) {
                after << vecStore(type, buffer, beginOfVector(store.address), vec);
                continue;
            }
            AffineExpr row = store.address;
            row.steps.back() = 0;
            const QString begin = indexExpression(row, m_loops.allCounters());
            after << QStringLiteral("%1(%2, c, %3);")
                         .arg(runsBackward(store.address) ? QStringLiteral("storePartialVecReversed")
                                                          : QStringLiteral("storePartialVec"),
                              begin == QLatin1String("0") ? buffer
                                                          : QStringLiteral("%1 + %2").arg(buffer, begin),
                              vec);
            (runsBackward(store.address) ? m_storesBackwards : m_storesForwards) = true;
        }
        beginElements();
        QString elements = computed(m_scans.size());
        for (qsizetype i = 0; i < targets.size(); ++i) {
            const KernelStore &store =
                m_kernel.stores[static_cast<std::size_t>(m_pass.stores[static_cast<std::size_t>(i)])];
            elements +=
                wrapped(QStringLiteral("%1 = %2;").arg(targets[i], m_text.stored(store.step, store.type)),
                        QString(12, QLatin1Char(' ')), QString(16, QLatin1Char(' ')));
        }
        endElements(elements + addedToSums());
        if (after.isEmpty())
            return;
        if (isOfFullVectors(m_kernel, m_rows))
            line(QStringLiteral("if (c < kColumns) {"));
        for (const QString &text : after)
            line(text, isOfFullVectors(m_kernel, m_rows) ? 3 : 2);
        if (isOfFullVectors(m_kernel, m_rows))
            line(QStringLiteral("}"));
    }

    UnalignedRows m_rows;
    ReductionSchedule m_schedule;
    const ReductionPass &m_pass;
    LoopNames m_loops;
    ExpressionPrinter m_text;
    QStringList m_counters;              ///< for elements that are in no vector
    std::vector<int> m_scans;            ///< in order: a stage each, the last one stores
    std::map<int, std::size_t> m_stages; ///< by step: the first that needs it
    std::set<int> m_reused;              ///< steps that later stages reuse
    std::map<int, int> m_cached;         ///< their arrays' numbers
    std::map<int, QString> m_vecs;       ///< by input
    std::map<int, QString> m_strided;    ///< by input: its element among several vectors
    std::map<std::pair<int, AffineExpr>, QString> m_interleaved; ///< these vectors, by buffer and address
    bool m_storesForwards = false;
    bool m_storesBackwards = false;
    int m_named = 0;
    int m_rowNames = 0;
    QString m_rowLines;
    QString m_body;
};

} // namespace

QString rowScanCudaText(const KernelSource &source) {
    const UnalignedRows rows = *rowScanOf(source.kernel);
    const ThreadMapping mapping{MappingMode::BlockPerRow};
    return cudaHead(source.kernel, source.names, blockScanRationale) + QStringLiteral("namespace {\n\n") +
           cudaConstants(source.kernel, mapping, rows.width) + Writer(source, rows).run();
}

} // namespace warpwright
