// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/online_argmax.h"

#include "agent/playbook/schedule/online_argmax.h"

#include <algorithm>

namespace warpwright {
namespace {

// The initial index: none.
const QString nowhere = QStringLiteral("INT64_MAX");

} // namespace

OnlineArgmax::OnlineArgmax(const Kernel &planned, const Kernel &kernel, const LoopNames &loops)
    : m_kernel(kernel), m_loops(loops) {
    for (std::size_t i = 0; i < kernel.steps.size(); ++i)
        if (kernel.steps[i].operands != planned.steps[i].operands)
            m_extremes.push_back({extremeOfArgmax(planned, static_cast<int>(i)), static_cast<int>(i)});
}

bool OnlineArgmax::isExtreme(int step) const {
    return std::any_of(m_extremes.begin(), m_extremes.end(),
                       [step](const TrackedExtreme &some) { return some.extreme == step; });
}

bool OnlineArgmax::isArgmax(int step) const {
    return std::any_of(m_extremes.begin(), m_extremes.end(),
                       [step](const TrackedExtreme &some) { return some.position == step; });
}

QStringList OnlineArgmax::update(int extreme, ExpressionPrinter &text) const {
    const auto of = std::find_if(m_extremes.begin(), m_extremes.end(),
                                 [extreme](const TrackedExtreme &some) { return some.extreme == extreme; });
    const KernelStep &step = m_kernel.step(extreme);
    const QString element = text.text(step.operands[0]);
    const QString furthest = m_loops.accumulatorName(extreme);
    const QString position = m_loops.accumulatorName(of->position);
    const QString than = step.op == Opcode::RowMaximum ? QStringLiteral(">") : QStringLiteral("<");
    // The first NaN stays; the first of all is taken whatever it is.
    return {QStringLiteral("if (%1 %2 %3 || %4 == %5 || (%1 != %1 && %3 == %3)) {")
                .arg(element, than, furthest, position, nowhere),
            QStringLiteral("    %1 = %2;").arg(furthest, element),
            QStringLiteral("    %1 = %2;").arg(position, text.text(m_kernel.step(of->position).operands[0])),
            QStringLiteral("}")};
}

QStringList OnlineArgmax::linesBeforeReduction(int step) const {
    for (const TrackedExtreme &some : m_extremes) {
        const QString furthest = m_loops.accumulatorName(some.extreme);
        if (some.extreme == step)
            return {QStringLiteral("const float %1OfThread = %1;").arg(furthest)};
        if (some.position == step)
            return {QStringLiteral("%1 = %2OfThread == %2 || %2OfThread != %2OfThread ? %1 : %3;")
                        .arg(m_loops.accumulatorName(step), furthest, nowhere)};
    }
    return {};
}

} // namespace warpwright
