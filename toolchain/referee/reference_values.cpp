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

at::Tensor tensorOf(const WorkerProcess &worker, const Json &node, MemoryKind kind) {
    return tensorAt(node, worker.arena().base(), worker.arena().bytes(), kind);
}

int64_t specialsIn(const at::Tensor &values) {
    if (!values.is_floating_point() && !values.is_complex())
        return 0;
    return at::isfinite(values).logical_not().sum().item<int64_t>();
}

} // namespace

bool makesNewSpecials(const ReferenceCheck &check, const VerificationRound &round,
                      const WorkerProcess &reference, MemoryKind kind) {
    return std::any_of(round.reference.begin(), round.reference.end(), [&](const ValueLeaf &leaf) {
        // Twice as many: how many there are may hang on the inputs, too.
        return leaf.isTensor() &&
               specialsIn(tensorOf(reference, leaf.node, kind)) > 2 * check.knownSpecials(leaf.path);
    });
}

bool isOfOtherMode(const VerificationRound &round, const WorkerProcess &candidate, WorkerProcess &reference,
                   MemoryKind kind) {
    const Json ran = reference.call(
        "run", {{"inputs", round.inputs}, {"clone", true}, {"mode", "strict"}, {"otherMode", true}},
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
            !(differenceOfTimed(tensorOf(reference, others[i].node, kind),
                                tensorOf(candidate, mine.node, kind)) <= sameMode))
            return false;
    }
    return hasTensor;
}

} // namespace warpwright
