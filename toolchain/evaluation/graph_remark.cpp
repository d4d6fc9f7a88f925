// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/evaluation/graph_remark.h"

#include "toolchain/base/figures.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr double tellingChange = 1.25; // less than that is told by the tables of both

bool isAnother(const SpeedUp &calls, const SpeedUp &graph) {
    if (calls.value <= 0 || graph.value <= 0 || calls.arm != graph.arm)
        return false;
    const bool isApart = graph.high < calls.low || calls.high < graph.low;
    return isApart && std::max(calls.value / graph.value, graph.value / calls.value) > tellingChange;
}

double medianIn(const std::vector<ArmFigures> &arms, const QString &name) {
    const auto found =
        std::find_if(arms.begin(), arms.end(), [&name](const ArmFigures &arm) { return arm.name == name; });
    return found == arms.end() ? 0 : found->medianMicroseconds;
}

/// Of the arm that gains most by a graph; empty where a time is missing, or a graph saves it nothing.
QString launchText(const MeasuredFigures &figures, const QString &arm) {
    const double calls = medianIn(figures.arms, arm);
    const double graph = medianIn(figures.graph.arms, arm);
    if (graph <= 0 || calls <= graph)
        return {};
    const QString owner = arm == QLatin1String("candidate") ? QStringLiteral("the candidate") : armLabel(arm);
    return QStringLiteral("; call by call, %1 of the %2 that %3 takes are the host's cost of launching")
        .arg(figures.times.text(calls - graph), figures.times.text(calls), owner);
}

} // namespace

std::optional<GraphRemark> graphRemark(const MeasuredFigures &figures) {
    const GraphFigures &graph = figures.graph;
    if (graph.status != StageStatus::Passed || figures.certificate.isOfGraph())
        return std::nullopt;
    const std::pair<const std::optional<SpeedUp> *, const std::optional<SpeedUp> *> all[] = {
        {&figures.sameClass, &graph.sameClass},
        {&figures.compile, &graph.compile},
        {&figures.eager, &graph.eager}};
    for (const auto &[calls, asOne] : all) {
        if (!*calls || !*asOne || !isAnother(**calls, **asOne))
            continue;
        const SpeedUp &speedUp = **asOne;
        const FactorText factor = factorText(speedUp.value, speedUp.low, speedUp.high);
        const bool isBaselines = (*calls)->value > speedUp.value;
        return GraphRemark{
            speedUp.arm, factor.value,
            QStringLiteral("As one CUDA graph %1 over %2 (%3)%4.")
                .arg(factor.value, armLabel(speedUp.arm), factor.interval,
                     launchText(figures, isBaselines ? speedUp.arm : QStringLiteral("candidate")))};
    }
    return std::nullopt;
}

} // namespace warpwright
