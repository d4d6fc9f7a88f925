// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/vectorized_pooling.h"

#include "agent/playbook/analysis/integer_ranges.h"
#include "agent/playbook/codegen/cuda/device_helpers.h"
#include "agent/playbook/codegen/cuda/kernel_header.h"
#include "agent/playbook/codegen/cuda/launcher.h"
#include "agent/playbook/codegen/cuda/loops/templates/vectorized_pooling.h"
#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/kernel_writer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/schedule/loop_space.h"
#include "agent/playbook/schedule/reduction_schedule.h"
#include "agent/playbook/schedule/vectorized_pooling.h"

#include <algorithm>
#include <map>
#include <set>

namespace warpwright {
namespace {

constexpr std::int64_t mostUnrolled = 32;

class Writer : private KernelWriter {
public:
    explicit Writer(const KernelSource &source)
        : KernelWriter(source),
          m_schedule(scheduleOf(source.kernel, RowCaching::Nothing)),
          m_loops(source.kernel),
          m_width(rowsPerThread(source.kernel)),
          m_ofRows(stepsAcrossRows(source.kernel)),
          m_text(source.kernel, CodeDialect::Cuda, [this](int input) { return inputText(input); }) {}

    QString run() {
        const ReductionPass &pass = m_schedule.passes.front();
        QString rowLines;
        for (const QString &line : m_loops.outerCounterLines(m_kernel.rows() < (std::int64_t(1) << 31)))
            rowLines += QStringLiteral("    %1\n").arg(line);
        const QString begin = valuesOfRows(m_schedule.named.front(), 4) + startOfSums(pass);
        QString loads;
        QString elements;
        int count = 0;
        for (const int step : pass.computed) {
            if (isVectorLoad(step))
                loads += vectorOf(step, 8);
            if (usesIn(m_kernel, pass, step) > 1 && !isGathered(step))
                (m_ofRows.contains(step) ? elements : loads) += m_text.constant(
                    step, QStringLiteral("h%1").arg(++count), m_ofRows.contains(step) ? 12 : 8);
        }
        for (const int step : pass.reductions)
            elements += updateOf(step);
        QString counters;
        for (const QString &line : namedIn(loads + elements, m_loops.innerCounterLines()))
            counters += QString(8, QLatin1Char(' ')) + line + QLatin1Char('\n');
        for (const int step : pass.computed)
            m_text.forget(step);
        for (const int step : pass.reductions) {
            const QString own = cTypeName(m_kernel.step(step).type, false);
            const QString name = m_loops.accumulatorName(step) + QStringLiteral("[k]");
            m_text.name(step, sumOf(step).type == own ? name : QStringLiteral("%1(%2)").arg(own, name));
        }
        const QString index =
            hasInt32Indexing(m_kernel) ? QStringLiteral("int") : QStringLiteral("std::int64_t");
        const QString body =
            fillTemplate(vectorizedPoolingText,
                         {{"functions", QStringLiteral("@functions@")},
                          {"head", QStringLiteral("@head@")},
                          {"rowLines", rowLines},
                          {"begin", begin},
                          {"loads", counters + loads},
                          {"elements", elements},
                          {"end", resultsOfRows()},
                          {"launcher", QStringLiteral("@launcher@")},
                          {"index", index},
                          {"together", m_kernel.columns() <= mostUnrolled
                                           ? QString()
                                           : QStringLiteral(" 8 // keeps several loads in flight")}});
        return fillTemplate(withInt32Indexing(m_kernel, body),
                            {{"functions", helperFunctions(m_text.functions(), CodeDialect::Cuda)},
                             {"pack", vecText},
                             {"head", cudaSignature(m_graph, m_program, m_names).chopped(1)},
                             {"launcher", cudaLauncher(source(), threadPerRowConfigs(m_kernel))}});
    }

private:
    [[nodiscard]] QString inputText(int input) const {
        if (input < 0)
            return indexExpression(m_kernel.step(-1 - input).index, m_loops.allCounters());
        if (const auto vec = m_vecs.find(input); vec != m_vecs.end())
            return vec->second + QStringLiteral(".at[k]");
        const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(input)];
        QStringList counters = m_loops.allCounters();
        const std::size_t lane = m_kernel.outer - 1;
        if (what.address.steps[lane] != 0) {
            QString &counter = counters[static_cast<qsizetype>(lane)];
            counter = QStringLiteral("(%1 + k)").arg(counter);
        }
        return QStringLiteral("%1[%2]").arg(m_names.nameOf(what.buffer),
                                            indexExpression(what.address, counters));
    }

    [[nodiscard]] QString addressText(const AffineExpr &address) const {
        return indexExpression(address, m_loops.allCounters());
    }

    [[nodiscard]] ReductionCode sumOf(int step) const { return reductionCode(m_kernel, step, false); }

    [[nodiscard]] bool isVectorLoad(int step) const {
        const int input = m_kernel.step(step).input;
        return m_kernel.step(step).op == Opcode::Load && m_ofRows.contains(step) &&
               !m_vecs.contains(keyOf(step)) &&
               isVectorInput(m_kernel.inputs[static_cast<std::size_t>(input)], m_kernel.outer - 1, m_width);
    }

    // An input has one vector, except where steps choose its rows.
    [[nodiscard]] int keyOf(int step) const {
        return isGathered(step) ? -1 - step : m_kernel.step(step).input;
    }

    // Another step chooses its row, the same for the whole vector.
    [[nodiscard]] bool isGathered(int step) const {
        const KernelStep &load = m_kernel.step(step);
        return load.op == Opcode::Load && m_ofRows.contains(step) &&
               !m_kernel.inputs[static_cast<std::size_t>(load.input)].isPlain();
    }

    // Its condition is the same for the whole vector.
    QString vectorOf(int step, int indent) {
        const KernelStep &load = m_kernel.step(step);
        const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(load.input)];
        const QString buffer = m_names.nameOf(what.buffer);
        const QString name = vecName(buffer, m_vecs);
        const QString value =
            vecLoad(cTypeName(what.type, true), buffer, m_text.position(load, addressText(what.address)),
                    load.isGuarded ? m_text.text(load.operands.back()) : QString());
        m_vecs[keyOf(step)] = name;
        if (isGathered(step))
            m_text.name(step,
                        QStringLiteral("(%1)").arg(m_text.loaded(load, name + QStringLiteral(".at[k]"))));
        const QString before(indent, QLatin1Char(' '));
        return wrapped(QStringLiteral("const auto %1 = %2;").arg(name, value), before,
                       before + QString(4, QLatin1Char(' ')));
    }

    // Per-row values before the loop over elements; arrays where they differ between rows.
    QString valuesOfRows(const std::vector<int> &steps, int indent) {
        QString shared;
        QString arrays;
        QString each;
        for (const int step : steps) {
            const QString name = QStringLiteral("r%1").arg(++m_rowNames);
            if (!m_ofRows.contains(step)) {
                shared += m_text.constant(step, name, indent);
                continue;
            }
            shared += vectorsUnder(step, indent);
            arrays +=
                QStringLiteral("    %1 %2[kWidth];\n").arg(cTypeName(m_kernel.step(step).type, true), name);
            each += QStringLiteral("        %1[k] = %2;\n").arg(name, m_text.definition(step));
            m_text.name(step, name + QStringLiteral("[k]"));
        }
        return shared + arrays + (each.isEmpty() ? QString() : overRows(each));
    }

    static QString overRows(const QString &lines) {
        return QStringLiteral("#pragma unroll\n    for (int k = 0; k < kWidth; ++k) {\n%1    }\n").arg(lines);
    }

    // The loads that a per-row value depends on.
    QString vectorsUnder(int step, int indent) {
        QString lines;
        std::vector<int> open = {step};
        while (!open.empty()) {
            const int some = open.back();
            open.pop_back();
            if (m_text.isNamed(some) || isReduction(m_kernel.step(some).op))
                continue;
            if (isVectorLoad(some))
                lines += vectorOf(some, indent);
            open.insert(open.end(), m_kernel.step(some).operands.begin(), m_kernel.step(some).operands.end());
        }
        return lines;
    }

    [[nodiscard]] QString startOfSums(const ReductionPass &pass) const {
        QString arrays;
        QString each;
        for (const int step : pass.reductions) {
            arrays +=
                QStringLiteral("    %1 %2[kWidth];\n").arg(sumOf(step).type, m_loops.accumulatorName(step));
            each +=
                QStringLiteral("        %1[k] = %2;\n").arg(m_loops.accumulatorName(step), sumOf(step).start);
        }
        return arrays + overRows(each);
    }

    QString updateOf(int step) {
        const ReductionCode sum = sumOf(step);
        const QString name = m_loops.accumulatorName(step) + QStringLiteral("[k]");
        const QString element = m_text.text(m_kernel.step(step).operands[0]);
        const QString indent(12, QLatin1Char(' '));
        if (const QString function = sum.extremeFunction(); !function.isEmpty())
            m_text.calls(function);
        return wrapped(sum.isExtreme() ? QStringLiteral("%1 = %2;").arg(name, sum.cudaExtreme(element, name))
                                       : sum.update(name, element),
                       indent, indent + QString(4, QLatin1Char(' ')));
    }

    // Per-row values after the loop, and their stores.
    QString resultsOfRows() {
        QString before;
        QString each;
        m_vecs.clear();
        for (std::size_t p = 1; p < m_schedule.named.size(); ++p)
            for (const int step : m_schedule.named[p]) {
                before += vectorsUnder(step, 4);
                (m_ofRows.contains(step) ? each : before) += m_text.constant(
                    step, QStringLiteral("r%1").arg(++m_rowNames), m_ofRows.contains(step) ? 8 : 4);
            }
        QString after;
        for (const int position : m_schedule.rowStores) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(position)];
            const QString type = cTypeName(store.type, true);
            const QString name =
                m_names.nameOf(store.buffer) +
                QStringLiteral("Result%1").arg(position > 0 ? QString::number(position + 1) : QString());
            before += vectorsUnder(store.step, 4) + QStringLiteral("    Vec<%1> %2;\n").arg(type, name);
            each += wrapped(QStringLiteral("%1.at[k] = %2;").arg(name, m_text.stored(store.step, store.type)),
                            QString(8, QLatin1Char(' ')), QString(12, QLatin1Char(' ')));
            after += QStringLiteral("    %1\n")
                         .arg(vecStore(type, m_names.nameOf(store.buffer), addressText(store.address), name));
        }
        return before + overRows(each) + after;
    }

    ReductionSchedule m_schedule;
    LoopNames m_loops;
    int m_width; ///< rows per thread
    std::set<int> m_ofRows;
    ExpressionPrinter m_text;
    std::map<int, QString> m_vecs; ///< by keyOf() of their step, while in scope
    int m_rowNames = 0;
};

QString rationaleOf(const Kernel &kernel) {
    return loadsRowsAsScalars(kernel)
               ? QStringLiteral(
                     "One thread takes several short adjacent rows: addresses are computed once for all of "
                     "them, and elements that they share are loaded once, which the compiler sees because "
                     "the "
                     "loops are unrolled. Their results are stored by one vector store.")
               : QStringLiteral(
                     "One thread takes several short rows, which are adjacent wherever they are read: "
                     "addresses "
                     "are computed once for all of them, and a vector load brings one element of each.");
}

} // namespace

QString vectorizedPoolingCudaText(const KernelSource &source) {
    const ThreadMapping mapping{MappingMode::ThreadPerRowVector};
    return cudaHead(source.kernel, source.names, rationaleOf(source.kernel)) +
           QStringLiteral("namespace {\n\n") +
           cudaConstants(source.kernel, mapping, rowsPerThread(source.kernel)).trimmed() + QLatin1Char('\n') +
           Writer(source).run();
}

} // namespace warpwright
