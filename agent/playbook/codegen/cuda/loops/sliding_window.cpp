// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/sliding_window.h"

#include "agent/playbook/analysis/integer_ranges.h"
#include "agent/playbook/codegen/cuda/device_helpers.h"
#include "agent/playbook/codegen/cuda/kernel_header.h"
#include "agent/playbook/codegen/cuda/launcher.h"
#include "agent/playbook/codegen/cuda/loops/sliding_window_pairs.h"
#include "agent/playbook/codegen/cuda/loops/sliding_window_writer.h"
#include "agent/playbook/codegen/cuda/loops/templates/sliding_window.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/schedule/loop_space.h"

#include <set>

namespace warpwright {
namespace {

const QString rationale = QStringLiteral(
    "Windows below each other share most of their rows. So one thread takes several of them: "
    "it goes down their rows, reduces each row once, and combines the result into every window "
    "that contains this row. Neighbouring threads take the windows to the side, so their loads "
    "are coalesced.");

} // namespace

SlidingWindowWriter::SlidingWindowWriter(const KernelSource &source, const SlidingWindow &windows)
    : KernelWriter(source),
      m_sliding(windows),
      m_adjacentLoop(source.kernel.outer - 1),
      m_schedule(scheduleOf(source.kernel, RowCaching::Nothing)),
      m_loops(source.kernel),
      m_counters(m_loops.allCounters()),
      m_text(source.kernel, CodeDialect::Cuda, [this](int input) { return inputText(input); }) {}

QString SlidingWindowWriter::run() {
    const ReductionPass &pass = m_schedule.passes.front();
    const auto down = static_cast<qsizetype>(m_sliding.down);
    const QString window = m_counters[down];
    const QString positions = positionsOfTile();
    m_counters[down] = QStringLiteral("first");
    m_counters[static_cast<qsizetype>(m_sliding.slice)] = QStringLiteral("inputRow");
    const QString begin = startOfWindows(pass);
    const QString elements = elementLines(pass);
    const QString taken = combinedRow(pass);
    m_counters[down] = window;
    nameResults(pass);
    QString results = isAdjacent() ? adjacentResults() : resultsOfWindow();
    results.prepend(QStringLiteral("                const std::int64_t %1 = first + k;\n").arg(window));
    const QString body = fillTemplate(
        slidingWindowText,
        {{"downSize", QString::number(m_kernel.loops[m_sliding.down])},
         {"step", QString::number(m_sliding.step)},
         {"tall", QString::number(m_kernel.loops[m_sliding.slice])},
         {"atOnce", QString::number(m_sliding.atOnce)},
         {"others", QString::number(m_across)},
         {"overAcross", m_overAcross},
         {"beside", isAdjacent()
                        ? QStringLiteral("constexpr int kTileWidth = %1; // adjacent windows per thread\n")
                              .arg(m_sliding.adjacent)
                        : QString()},
         {"places", positions},
         {"begin", begin},
         {"elements", elements},
         {"taken", taken},
         {"results", results},
         {"functions", QStringLiteral("@functions@")},
         {"pack", m_sliding.pairs ? windowPairsText(*m_sliding.pairs, m_pairFunctions)
                  : isAdjacent()  ? sizedVecText
                                  : QString()},
         {"bounds", m_sliding.hasManyRegisters
                        ? QStringLiteral("// A thread may have 128 registers, which keep the loads of "
                                         "several rows in flight.\n")
                        : QString()},
         {"leastBlocks", m_sliding.hasManyRegisters ? QStringLiteral(", 512 / THREADS") : QString()},
         {"head", QStringLiteral("@head@")},
         {"launcher", QStringLiteral("@launcher@")}});
    return fillTemplate(withInt32Indexing(m_kernel, body),
                        {{"functions", helperFunctions(m_text.functions(), CodeDialect::Cuda)},
                         {"head", cudaSignature(m_graph, m_program, m_names).chopped(1)},
                         {"launcher", cudaLauncher(source(), threadPerRowConfigs(m_kernel))}});
}

QString SlidingWindowWriter::positionsOfTile() {
    QString positions;
    for (std::size_t k = m_kernel.outer; k-- > 0;) {
        if (k == m_sliding.down) {
            m_overAcross = m_across == 1 ? QString() : QStringLiteral(" / %1").arg(m_across);
            continue;
        }
        const bool isBelow = k < m_sliding.down;
        const bool isAdjacentVector = k == m_adjacentLoop && isAdjacent();
        const std::int64_t size =
            isAdjacentVector ? m_kernel.loops[k] / m_sliding.adjacent : m_kernel.loops[k];
        const QString over = isBelow ? QStringLiteral(" / (%1 * kTilesPerColumn)").arg(m_across)
                                     : (m_across == 1 ? QString() : QStringLiteral(" / %1").arg(m_across));
        positions.prepend(QStringLiteral("    const std::int64_t %1 = unsigned(tile)%2%3%4;\n")
                              .arg(m_counters[static_cast<qsizetype>(k)], over,
                                   k == 0 ? QString() : QStringLiteral(" % %1").arg(size),
                                   isAdjacentVector ? QStringLiteral(" * kTileWidth") : QString()));
        m_across *= size;
    }
    return positions;
}

QString SlidingWindowWriter::startOfWindows(const ReductionPass &pass) {
    std::set<int> ofWindows = stepsVaryingAlong(m_kernel, m_sliding.down);
    if (isAdjacent())
        ofWindows.merge(stepsVaryingAlong(m_kernel, m_adjacentLoop));
    QString begin;
    for (const int step : m_schedule.named.front())
        if (!ofWindows.contains(step))
            begin += m_text.constant(step, QStringLiteral("r%1").arg(++m_rowNames), 4);
    QString starts;
    for (const int step : pass.reductions) {
        begin += QStringLiteral("    %1 %2[kTileHeight]%3;\n")
                     .arg(m_sliding.pairs ? QStringLiteral("Pair") : sumOf(step).type,
                          m_loops.accumulatorName(step),
                          m_sliding.pairs ? QStringLiteral("[kTileWidth / 2]")
                          : isAdjacent()  ? QStringLiteral("[kTileWidth]")
                                          : QString());
        starts += QStringLiteral("        %1%2 = %3;\n")
                      .arg(m_loops.accumulatorName(step), ofWindow(), sumOf(step).start);
    }
    if (isAdjacent())
        starts = forEachAdjacent(starts, 8);
    if (!m_sliding.pairs) // pairs start with their first row
        begin += QStringLiteral("#pragma unroll\n    for (int k = 0; k < kTileHeight; ++k) {\n%1    }\n")
                     .arg(starts);
    return begin;
}

QString SlidingWindowWriter::combinedRow(const ReductionPass &pass) {
    QString taken;
    for (const int step : pass.reductions)
        taken += m_sliding.pairs
                     ? takenPair(step, m_loops.accumulatorName(step) + QStringLiteral("[k][pair]"),
                                 QStringLiteral("inputRow == k * kStrideH"),
                                 partName(step) + QStringLiteral("[pair]"), 16)
                     : update(step, m_loops.accumulatorName(step) + ofWindow(),
                              partName(step) + (isAdjacent() ? QStringLiteral("[i]") : QString()), 16);
    if (isAdjacent())
        taken = m_sliding.pairs ? forEachPair(taken, 16) : forEachAdjacent(taken, 16);
    for (const int step : pass.computed)
        m_text.forget(step);
    return taken;
}

void SlidingWindowWriter::nameResults(const ReductionPass &pass) {
    for (const int step : pass.reductions) {
        const QString own = cTypeName(m_kernel.step(step).type, false);
        const QString name =
            m_sliding.pairs
                ? QStringLiteral("elementOf(%1[k][i / 2], i % 2)").arg(m_loops.accumulatorName(step))
                : m_loops.accumulatorName(step) + ofWindow();
        m_text.name(step, sumOf(step).type == own ? name : QStringLiteral("%1(%2)").arg(own, name));
    }
}

QString SlidingWindowWriter::inputText(int input) const {
    if (input < 0)
        return indexExpression(m_kernel.step(-1 - input).index, m_counters);
    if (const auto part = m_parts.find(input); part != m_parts.end())
        return part->second;
    const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(input)];
    return QStringLiteral("%1[%2]").arg(m_names.nameOf(what.buffer),
                                        indexExpression(what.address, m_counters));
}

QString SlidingWindowWriter::resultsOfWindow() {
    QString results;
    for (const std::vector<int> &named : m_schedule.named)
        for (const int step : named)
            if (!m_text.isNamed(step))
                results += m_text.constant(step, QStringLiteral("r%1").arg(++m_rowNames), 16);
    for (const int position : m_schedule.rowStores) {
        const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(position)];
        results += wrapped(QStringLiteral("%1[%2] = %3;")
                               .arg(m_names.nameOf(store.buffer), indexExpression(store.address, m_counters),
                                    m_text.stored(store.step, store.type)),
                           QString(16, QLatin1Char(' ')), QString(20, QLatin1Char(' ')));
    }
    return results;
}

QString SlidingWindowWriter::loopOver(std::size_t loop, int indent, const QString &lines) const {
    return unrolledLoop(m_counters[static_cast<qsizetype>(loop)], m_kernel.loops[loop], indent, lines);
}

QString SlidingWindowWriter::update(int step, const QString &name, const QString &element, int indent) {
    const ReductionCode sum = sumOf(step);
    const QString before(indent, QLatin1Char(' '));
    if (const QString function = sum.extremeFunction(); !function.isEmpty())
        m_text.calls(function);
    const QString text = sum.isExtreme()
                             ? QStringLiteral("%1 = %2;").arg(name, sum.cudaExtreme(name, element))
                             : sum.update(name, element);
    return wrapped(text, before, before + QString(4, QLatin1Char(' ')));
}

/// Reduces one row of all windows over the other inner loops.
QString SlidingWindowWriter::elementLines(const ReductionPass &pass) {
    if (isAdjacent())
        return m_sliding.pairs ? elementLinesOfPairs(pass) : adjacentElementLines(pass);
    std::vector<std::size_t> along;
    for (const std::size_t loop : m_loops.innerLoops())
        if (loop != m_sliding.slice)
            along.push_back(loop);
    const int indent = 8 + 4 * static_cast<int>(along.size());
    QString lines;
    int count = 0;
    for (const int step : pass.computed)
        if (usesIn(m_kernel, pass, step) > 1)
            lines += m_text.constant(step, QStringLiteral("h%1").arg(++count), indent);
    QString starts;
    for (const int step : pass.reductions) {
        const QString element = m_text.text(m_kernel.step(step).operands[0]);
        if (along.empty()) {
            lines +=
                wrapped(QStringLiteral("const %1 %2 = %3;").arg(sumOf(step).type, partName(step), element),
                        QString(8, QLatin1Char(' ')), QString(12, QLatin1Char(' ')));
            continue;
        }
        starts +=
            QStringLiteral("        %1 %2 = %3;\n").arg(sumOf(step).type, partName(step), sumOf(step).start);
        lines += update(step, partName(step), element, indent);
    }
    for (std::size_t depth = along.size(); depth-- > 0;)
        lines = loopOver(along[depth], 8 + 4 * static_cast<int>(depth), lines);
    return starts + lines;
}

QString slidingWindowCudaText(const KernelSource &source) {
    const std::optional<SlidingWindow> adjacent =
        source.knobs.hasWideLoads ? adjacentWindows(source.kernel) : std::nullopt;
    return cudaHead(source.kernel, source.names, rationale) + QStringLiteral("namespace {\n\n") +
           SlidingWindowWriter(source, adjacent ? *adjacent : *slidingWindowOf(source.kernel)).run();
}

} // namespace warpwright
