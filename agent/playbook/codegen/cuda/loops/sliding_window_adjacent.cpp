// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/sliding_window_writer.h"

#include "agent/playbook/codegen/cuda/device_helpers.h"
#include "agent/playbook/codegen/cuda/loops/sliding_window_pairs.h"

#include <utility>

namespace warpwright {

bool SlidingWindowWriter::isWide(const AffineExpr &address) const {
    return isAdjacentVector(m_sliding, m_adjacentLoop, address);
}

/// As resultsOfWindow(), with vector loads of the epilogue's operands and vector stores.
QString SlidingWindowWriter::adjacentResults() {
    const QString indent(16, QLatin1Char(' '));
    const QString further(20, QLatin1Char(' '));
    QString before;
    QString after;
    std::map<int, QString> vecs;
    for (const KernelStep &step : m_kernel.steps) {
        if (step.op != Opcode::Load || step.isGuarded || step.level != StepLevel::Row ||
            vecs.contains(step.input))
            continue;
        const KernelInput &input = m_kernel.inputs[static_cast<std::size_t>(step.input)];
        if (!input.isPlain() || !isWide(input.address))
            continue;
        const QString buffer = m_names.nameOf(input.buffer);
        const QString name = vecName(buffer, vecs);
        before += wrapped(QStringLiteral("const auto %1 = *reinterpret_cast<const %2 *>(%3 + %4);")
                              .arg(name, vectorOfType(input.type, m_sliding.adjacent), buffer,
                                   indexExpression(input.address, m_counters)),
                          indent, further);
        vecs[step.input] = name;
        m_parts[step.input] = name + QStringLiteral(".at[i]");
    }
    const QStringList ofFirst = m_counters;
    m_counters[static_cast<qsizetype>(m_adjacentLoop)] =
        QStringLiteral("(%1 + i)").arg(ofFirst[static_cast<qsizetype>(m_adjacentLoop)]);
    QString each;
    for (const std::vector<int> &named : m_schedule.named)
        for (const int step : named)
            if (!m_text.isNamed(step))
                each += m_text.constant(step, QStringLiteral("r%1").arg(++m_rowNames), 16);
    for (const int position : m_schedule.rowStores) {
        const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(position)];
        const QString buffer = m_names.nameOf(store.buffer);
        if (m_sliding.pairs == store.type && isReduction(m_kernel.step(store.step).op) &&
            isWide(store.address)) {
            const QString name = vecName(buffer + QStringLiteral("Pairs"), vecs);
            vecs[-1 - position] = name;
            after += forEachPair(QStringLiteral("%1%2.at[pair] = %3[k][pair];\n")
                                     .arg(indent, name, m_loops.accumulatorName(store.step)),
                                 16)
                         .prepend(QStringLiteral("%1Vec<Pair, kTileWidth / 2> %2;\n").arg(indent, name)) +
                     wrapped(QStringLiteral("*reinterpret_cast<Vec<Pair, kTileWidth / 2> *>(%1 + %2) = %3;")
                                 .arg(buffer, indexExpression(store.address, ofFirst), name),
                             indent, further);
            continue;
        }
        const QString value = m_text.stored(store.step, store.type);
        QString target = QStringLiteral("%1[%2]").arg(buffer, indexExpression(store.address, m_counters));
        if (isWide(store.address)) {
            const QString name = vecName(buffer + QStringLiteral("Result"), vecs);
            vecs[-1 - position] = name;
            before +=
                QStringLiteral("%1%2 %3;\n").arg(indent, vectorOfType(store.type, m_sliding.adjacent), name);
            after += wrapped(QStringLiteral("*reinterpret_cast<%1 *>(%2 + %3) = %4;")
                                 .arg(vectorOfType(store.type, m_sliding.adjacent), buffer,
                                      indexExpression(store.address, ofFirst), name),
                             indent, further);
            target = name + QStringLiteral(".at[i]");
        }
        each += wrapped(QStringLiteral("%1 = %2;").arg(target, value), indent, further);
    }
    return before + (each.isEmpty() ? QString() : forEachAdjacent(each, 16)) + after;
}

/// Loads of the vectors of columns that adjacent windows share, each under its condition.
QString SlidingWindowWriter::partLines(const ReductionPass &pass, int indent) {
    const QString before(indent, QLatin1Char(' '));
    const QString inner(indent + 4, QLatin1Char(' '));
    const QString further(indent + 8, QLatin1Char(' '));
    QString lines;
    std::map<int, QString> names;
    std::map<int, QString> parts;
    for (const int number : pass.computed) {
        const KernelStep &load = m_kernel.step(number);
        if (load.op != Opcode::Load || parts.contains(load.input))
            continue;
        const KernelInput &input = m_kernel.inputs[static_cast<std::size_t>(load.input)];
        const std::optional<RowVectors> some = vectorsOfLoad(m_kernel, m_sliding, load);
        if (!some)
            continue;
        const QString buffer = m_names.nameOf(input.buffer);
        const QString name = vecName(buffer, names);
        names[load.input] = name;
        const QString vec = m_sliding.pairs ? QStringLiteral("Vec<Pair, %1>").arg(some->width / 2)
                                            : vectorOfType(input.type, some->width);
        const QString position =
            some->lead == 0 ? QStringLiteral("column") : QStringLiteral("(column + %1)").arg(some->lead);
        parts[load.input] = QStringLiteral("%1[%2 / %3].at[%2 % %3]").arg(name, position).arg(some->width);
        const QString memory = QStringLiteral("*reinterpret_cast<const %1 *>(%2 + %3)")
                                   .arg(vec, buffer, indexExpression(input.address, m_counters));
        lines += QStringLiteral("%1%2 %3[%4];\n").arg(before, vec, name).arg(some->count);
        QString value = memory;
        QString isInBounds;
        if (load.isGuarded) {
            isInBounds = name + QStringLiteral("InBounds");
            lines += QStringLiteral("%1bool %2[%3];\n").arg(before, isInBounds).arg(some->count);
            value = QStringLiteral("%1[vec] ? %2 : %3")
                        .arg(isInBounds, memory,
                             m_sliding.pairs ? absentPairs(input.type, some->width / 2, load.number)
                                             : vec + QStringLiteral("()"));
        }
        lines += QStringLiteral("#pragma unroll\n%1for (int vec = 0; vec < %2; ++vec) {\n")
                     .arg(before)
                     .arg(some->count);
        QString text;
        if (load.isGuarded)
            text +=
                wrapped(QStringLiteral("%1[vec] = %2;").arg(isInBounds, m_text.text(load.operands.back())),
                        inner, further);
        text += wrapped(QStringLiteral("%1[vec] = %2;").arg(name, value), inner, further);
        lines += QStringLiteral("%1const int column = vec * %2%3;\n")
                     .arg(inner)
                     .arg(some->width)
                     .arg(some->lead == 0 ? QString() : QStringLiteral(" - %1").arg(some->lead)) +
                 text + QStringLiteral("%1}\n").arg(before);
        if (load.isGuarded)
            m_guards[load.operands.back()] =
                QStringLiteral("%1[%2 / %3]").arg(isInBounds, position).arg(some->width);
    }
    m_parts = parts;
    m_vecs = names;
    for (const auto &[step, text] : m_guards)
        m_text.name(step, text);
    return lines;
}

QString SlidingWindowWriter::takenPair(int step, const QString &name, const QString &isFirst,
                                       const QString &pair, int indent) {
    const QString function =
        m_kernel.step(step).op == Opcode::RowMaximum ? QStringLiteral("maximum") : QStringLiteral("minimum");
    m_text.calls(function);
    m_pairFunctions.insert(function);
    const QString before(indent, QLatin1Char(' '));
    return wrapped(QStringLiteral("%1 = %2 ? %3 : %4(%1, %3);").arg(name, isFirst, pair, function), before,
                   before + QString(4, QLatin1Char(' ')));
}

/// Reduces one row of all windows, two adjacent windows at once.
QString SlidingWindowWriter::elementLinesOfPairs(const ReductionPass &pass) {
    const auto along = static_cast<qsizetype>(*m_sliding.along);
    const QString counter = std::exchange(m_counters[along], QStringLiteral("column"));
    QString lines = partLines(pass, 8);
    QString windows;
    for (const int step : pass.reductions) {
        const KernelStep &load = m_kernel.step(m_kernel.step(step).operands[0]);
        const QString pairs = m_loops.accumulatorName(step) + QStringLiteral("Pairs");
        lines += pairsOfColumns(pairs, m_vecs[load.input], *vectorsOfLoad(m_kernel, m_sliding, load),
                                m_sliding.columns(m_kernel), QString(8, QLatin1Char(' '))) +
                 QStringLiteral("        Pair %1[kTileWidth / 2];\n").arg(partName(step));
        windows += QStringLiteral("#pragma unroll\n        for (int column = 0; column < %1; ++column)\n")
                       .arg(m_sliding.wide(m_kernel)) +
                   takenPair(step, partName(step) + QStringLiteral("[pair]"), QStringLiteral("column == 0"),
                             pairs + QStringLiteral("[2 * pair + column]"), 12);
    }
    for (const auto &[step, text] : m_guards)
        m_text.forget(step);
    m_parts.clear();
    m_counters[along] = counter;
    return lines + forEachPair(windows, 8);
}

/// Reduces one row of all windows, the adjacent ones included: each column is computed once.
QString SlidingWindowWriter::adjacentElementLines(const ReductionPass &pass) {
    std::vector<std::size_t> others;
    for (const std::size_t loop : m_loops.innerLoops())
        if (loop != m_sliding.slice && loop != m_sliding.along)
            others.push_back(loop);
    const int indent = 8 + 4 * static_cast<int>(others.size());
    const QString before(indent, QLatin1Char(' '));
    const QString inner(indent + 4, QLatin1Char(' '));
    const auto lane = static_cast<qsizetype>(m_adjacentLoop);
    const QString adjacent = m_counters[lane];
    if (m_sliding.along)
        m_counters[static_cast<qsizetype>(*m_sliding.along)] = QStringLiteral("column");
    else
        m_counters[lane] = QStringLiteral("(%1 + column)").arg(adjacent);
    QString lines = partLines(pass, indent);
    // Without what only the vectors' conditions depend on.
    std::set<int> needed;
    for (const int step : pass.reductions)
        needed.insert(m_kernel.step(step).operands[0]);
    for (auto step = pass.computed.rbegin(); step != pass.computed.rend(); ++step)
        if (needed.contains(*step))
            for (const int operand : m_kernel.step(*step).operands)
                if (!m_guards.contains(operand))
                    needed.insert(operand);
    QString columns;
    int count = 0;
    for (const int step : pass.computed)
        if (usesIn(m_kernel, pass, step) > 1 && needed.contains(step))
            columns += m_text.constant(step, QStringLiteral("h%1").arg(++count), indent + 4);
    QString starts, windows;
    for (const int step : pass.reductions) {
        const ReductionCode sum = sumOf(step);
        const QString elements = m_loops.accumulatorName(step) + QStringLiteral("Elements");
        lines +=
            QStringLiteral("%1%2 %3[%4];\n").arg(before, sum.type, elements).arg(m_sliding.columns(m_kernel));
        columns += wrapped(
            QStringLiteral("%1[column] = %2;").arg(elements, m_text.text(m_kernel.step(step).operands[0])),
            inner, inner + QString(4, QLatin1Char(' ')));
        starts += QStringLiteral("        %1 %2[kTileWidth];\n").arg(sum.type, partName(step));
        const QString position = m_sliding.adjacentStep == 1
                                     ? QStringLiteral("i")
                                     : QStringLiteral("i * %1").arg(m_sliding.adjacentStep);
        if (m_sliding.along)
            windows +=
                QStringLiteral("#pragma unroll\n%1for (int column = 0; column < %2; ++column)\n%3")
                    .arg(before)
                    .arg(m_sliding.wide(m_kernel))
                    .arg(update(step, partName(step) + QStringLiteral("[i]"),
                                QStringLiteral("%1[%2 + column]").arg(elements, position), indent + 4));
        else
            windows += update(step, partName(step) + QStringLiteral("[i]"),
                              QStringLiteral("%1[%2]").arg(elements, position), indent);
    }
    lines += QStringLiteral("#pragma unroll\n%1for (int column = 0; column < %2; ++column) {\n%3%1}\n")
                 .arg(before)
                 .arg(m_sliding.columns(m_kernel))
                 .arg(columns) +
             forEachAdjacent(windows, indent);
    for (std::size_t depth = others.size(); depth-- > 0;)
        lines = loopOver(others[depth], 8 + 4 * static_cast<int>(depth), lines);
    QString zeros;
    for (const int step : pass.reductions)
        zeros += QStringLiteral("        %1[i] = %2;\n").arg(partName(step), sumOf(step).start);
    for (const auto &[step, text] : m_guards)
        m_text.forget(step);
    m_parts.clear();
    m_counters[lane] = adjacent;
    return starts + forEachAdjacent(zeros, 8) + lines;
}

} // namespace warpwright
