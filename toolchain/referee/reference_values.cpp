// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/reference_values.h"

#include "referee/comparison.h"
#include "referee/judged_tensor.h"

#include <ATen/Functions.h>

#include <algorithm>

namespace warpwright {

namespace {

constexpr double limitSeconds = 120.0;
constexpr double sameMode = 1e-3; ///< of the RMS value: so near are results of one mode
constexpr int64_t chunkElements = int64_t{1} << 24;

// Numbers of a tensor, counted a part at a time. Half of a complex one is one.
int64_t specialsIn(const FlatValues &values) {
    int64_t count = 0;
    for (int64_t start = 0; values.isFloatingPoint() && start < values.numel(); start += chunkElements) {
        const at::Tensor part = values.slice(start, start + chunkElements);
        count += at::isfinite(part).logical_not().sum().item<int64_t>();
    }
    return count;
}

} // namespace

bool makesNewSpecials(const ReferenceCheck &check, const VerificationRound &round,
                      const WorkerProcess &reference) {
    return std::any_of(round.reference.begin(), round.reference.end(), [&](const ValueLeaf &leaf) {
        // Twice as many: how many there are may hang on the inputs, too.
        return leaf.isTensor() &&
               specialsIn(tensorAt(leaf.node, reference.arena())) > 2 * check.knownSpecials(leaf.path);
    });
}

bool isOfOtherMode(const VerificationRound &round, const WorkerProcess &candidate, WorkerProcess &reference,
                   bool clone) {
    const Json ran = reference.call(
        "run", {{"inputs", round.inputs}, {"clone", clone}, {"mode", "strict"}, {"otherMode", true}},
        limitSeconds);
    const std::vector<ValueLeaf> others = leavesOf(ran.at("outputs"), "output");
    if (others.size() != round.candidate.size())
        return false;
    bool hasTensor = false;
    for (size_t i = 0; i < others.size(); ++i) {
        const ValueLeaf &mine = round.candidate[i];
        // What the call leaves in the model's own tensors is the mode's doing, too.
        if (!mine.isTensor() || !others[i].isTensor() || mine.path.starts_with("buffer "))
            continue;
        hasTensor = true;
        if (describeTensor(mine.node) != describeTensor(others[i].node) ||
            !(differenceOfTimed(tensorAt(others[i].node, reference.arena()),
                                tensorAt(mine.node, candidate.arena())) <= sameMode))
            return false;
    }
    return hasTensor;
}

} // namespace warpwright
