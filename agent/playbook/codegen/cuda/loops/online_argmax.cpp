// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/online_argmax.h"

#include "agent/playbook/schedule/running_places.h"

#include <algorithm>

namespace warpwright {
namespace {

// Where a place begins: it is none.
const QString nowhere = QStringLiteral("INT64_MAX");

} // namespace

RunningPlaces::RunningPlaces(const FusedKernel &planned, const FusedKernel &kernel, const LoopText &loops)
    : m_kernel(kernel), m_loops(loops) {
    for (std::size_t i = 0; i < kernel.steps.size(); ++i)
        if (kernel.steps[i].operands != planned.steps[i].operands)
            m_running.push_back({extremeWithPlace(planned, static_cast<int>(i)), static_cast<int>(i)});
}

bool RunningPlaces::isExtreme(int step) const {
    return std::any_of(m_running.begin(), m_running.end(),
                       [step](const Running &some) { return some.extreme == step; });
}

bool RunningPlaces::isPlace(int step) const {
    return std::any_of(m_running.begin(), m_running.end(),
                       [step](const Running &some) { return some.place == step; });
}

QStringList RunningPlaces::update(int extreme, ScalarText &text) const {
    const auto of = std::find_if(m_running.begin(), m_running.end(),
                                 [extreme](const Running &some) { return some.extreme == extreme; });
    const KernelStep &step = m_kernel.step(extreme);
    const QString element = text.text(step.operands[0]);
    const QString furthest = m_loops.sumName(extreme);
    const QString place = m_loops.sumName(of->place);
    const QString than = step.op == KernelOp::RowMaximum ? QStringLiteral(">") : QStringLiteral("<");
    // The first NaN stays; the first of all is taken whatever it is.
    return {QStringLiteral("if (%1 %2 %3 || %4 == %5 || (%1 != %1 && %3 == %3)) {")
                .arg(element, than, furthest, place, nowhere),
            QStringLiteral("    %1 = %2;").arg(furthest, element),
            QStringLiteral("    %1 = %2;").arg(place, text.text(m_kernel.step(of->place).operands[0])),
            QStringLiteral("}")};
}

QStringList RunningPlaces::beforeMeeting(int step) const {
    for (const Running &some : m_running) {
        const QString furthest = m_loops.sumName(some.extreme);
        if (some.extreme == step)
            return {QStringLiteral("const float %1OfThread = %1;").arg(furthest)};
        if (some.place == step)
            return {QStringLiteral("%1 = %2OfThread == %2 || %2OfThread != %2OfThread ? %1 : %3;")
                        .arg(m_loops.sumName(step), furthest, nowhere)};
    }
    return {};
}

} // namespace warpwright
