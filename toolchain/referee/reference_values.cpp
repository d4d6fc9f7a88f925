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
constexpr double nearer = 0.1;    ///< and so much nearer than the two modes are to each other
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
    const auto resultsOf = [&](bool otherMode) {
        const Json ran = reference.call(
            "run", {{"inputs", round.inputs}, {"clone", clone}, {"mode", "strict"}, {"otherMode", otherMode}},
            limitSeconds);
        return leavesOf(ran.at("outputs"), "output");
    };
    const std::vector<ValueLeaf> own = resultsOf(false);
    const std::vector<ValueLeaf> others = resultsOf(true);
    if (others.size() != round.candidate.size() || own.size() != others.size())
        return false;
    bool differs = false;
    for (size_t i = 0; i < others.size(); ++i) {
        const ValueLeaf &mine = round.candidate[i];
        // What the call leaves in the model's own tensors is the mode's doing, too.
        if (!mine.isTensor() || !others[i].isTensor() || mine.path.starts_with("buffer "))
            continue;
        if (describeTensor(mine.node) != describeTensor(others[i].node) ||
            describeTensor(own[i].node) != describeTensor(others[i].node))
            return false;
        const at::Tensor other = tensorAt(others[i].node, reference.arena());
        const double betweenModes = differenceOfTimed(other, tensorAt(own[i].node, reference.arena()));
        const double toOther = differenceOfTimed(other, tensorAt(mine.node, candidate.arena()));
        if (!(toOther <= sameMode))
            return false;
        differs = differs || toOther <= nearer * betweenModes;
    }
    return differs;
}

void noteShapes(ReferenceCheck &check, const VerificationRound &round, const Json &facts) {
    const std::vector<ValueLeaf> first = leavesOf(facts.value("outputs", Json::object()), "output");
    for (size_t i = 0; i < first.size() && i < round.reference.size(); ++i) {
        const std::string was = describeTensor(first[i].node);
        const std::string now = describeTensor(round.reference[i].node);
        if (first[i].isTensor() && was != now)
            check.noteShape(first[i].path, was, now);
    }
}

} // namespace warpwright
