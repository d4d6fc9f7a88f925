// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/plan_moves.h"

#include <algorithm>

namespace warpwright {
namespace {

// What was chosen for kernels of the one plan, for those of the other: there are no pairs of them.
std::vector<KernelTuning> carriedOver(const KernelPlan &from, const std::vector<KernelTuning> &tunings,
                                      const KernelPlan &to) {
    const auto any = [&](bool isLibrary, bool KernelTuning::*choice) {
        for (std::size_t i = 0; i < tunings.size(); ++i)
            if ((from.kernels[i].anchor != Anchor::None) == isLibrary && tunings[i].*choice)
                return true;
        return false;
    };
    std::vector<KernelTuning> carried = plainTunings(to);
    for (std::size_t i = 0; i < carried.size(); ++i) {
        const bool isLibrary = to.kernels[i].anchor != Anchor::None;
        for (const auto choice : {&KernelTuning::hasWideLoads, &KernelTuning::isOnePass,
                                  &KernelTuning::isClustered, &KernelTuning::usesTf32})
            carried[i].*choice = any(isLibrary, choice);
    }
    return carried;
}

// Convolutions that the matrix units compute, and for which they get their operands in another order.
int reorderedCalls(const KernelPlan &plan, const std::vector<KernelTuning> &tunings) {
    int count = 0;
    for (std::size_t i = 0; i < plan.kernels.size(); ++i)
        count += isReorderedByLibrary(plan.kernels[i], tunings[i]) ? 1 : 0;
    return count;
}

} // namespace

std::vector<PlaybookMove> planMovesFrom(const ReferenceGraph &graph, const KernelPlan &plan,
                                        const std::vector<KernelTuning> &tunings,
                                        const PlaybookDevice &device) {
    const int before = reorderedCalls(plan, tunings);
    if (!device.isCuda || plan.choices.isChannelsLast || before == 0)
        return {};
    PlaybookMove move;
    move.plan = planOf(graph, {true});
    if (!move.plan->cannot.isEmpty())
        return {};
    move.tunings = carriedOver(plan, tunings, *move.plan);
    const int after = reorderedCalls(*move.plan, move.tunings);
    const double seconds = predictedSeconds(plan, tunings, device);
    const double then = predictedSeconds(*move.plan, move.tunings, device);
    if (after == before || then >= seconds)
        return {};
    move.move = QStringLiteral("channels-last");
    move.title = QStringLiteral("Let images lie with channels last between kernels");
    move.reason =
        QStringLiteral(
            "The matrix units sum over channels first, and want them side by side. Of images by rows cuDNN "
            "makes that order itself, and undoes it afterwards, for each call: here %1 of %2. Kernels of "
            "ours that are there anyway can write in this order; what is left is one pass for what comes "
            "from outside, and filters are small. Results of forward keep torch's order.")
            .arg(before - after)
            .arg(std::count_if(plan.kernels.begin(), plan.kernels.end(), [](const FusedKernel &kernel) {
                return kernel.anchor == Anchor::Convolution;
            }));
    move.prediction.timeRatio = then / seconds;
    move.prediction.words =
        QStringLiteral("%1 ms instead of %2 ms, if a library's passes take twice as long as they must")
            .arg(then * 1e3, 0, 'g', 3)
            .arg(seconds * 1e3, 0, 'g', 3);
    return {move};
}

std::vector<PlaybookMove> allMovesFrom(const ReferenceGraph &graph, const KernelPlan &plan,
                                       const std::vector<KernelTuning> &tunings,
                                       const PlaybookDevice &device) {
    std::vector<PlaybookMove> moves = movesFrom(plan, tunings, device);
    for (PlaybookMove &move : planMovesFrom(graph, plan, tunings, device))
        moves.push_back(std::move(move));
    std::stable_sort(moves.begin(), moves.end(), [](const PlaybookMove &a, const PlaybookMove &b) {
        return a.prediction.timeRatio < b.prediction.timeRatio;
    });
    return moves;
}

QString kernelClassOf(const KernelPlan &plan, const std::vector<KernelTuning> &tunings,
                      const PlaybookMove &move) {
    if (!move.plan)
        return kernelClass(plan, tunings, move.tunings);
    std::vector<KernelTuning> changed = tunings;
    for (std::size_t i = 0; i < changed.size(); ++i)
        if (isReorderedByLibrary(plan.kernels[i], tunings[i]))
            changed[i].config = -1;
    return kernelClass(plan, tunings, changed);
}

} // namespace warpwright
