// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/verification/reference_values.h"

#include "referee/comparison/comparison.h"
#include "referee/comparison/judged_tensor.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/logical_and.h>

#include <algorithm>
#include <optional>

namespace warpwright {

namespace {

constexpr double limitSeconds = 120.0;
constexpr double sameMode = 1e-3;     ///< of the RMS value: so near are results of one mode
constexpr double clearlyOther = 10.0; ///< times as far from its own mode is what is of the other
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

// How far the round's results are at most from those that the reference gives now, in its own mode or in the
// other one, each by its RMS value; none where they are not of one form.
std::optional<double> distanceFromMode(const VerificationRound &round, const WorkerProcess &candidate,
                                       WorkerProcess &reference, bool clone, bool inOther) {
    const Json ran = reference.call(
        "run", {{"inputs", round.inputs}, {"clone", clone}, {"mode", "strict"}, {"otherMode", inOther}},
        limitSeconds);
    const std::vector<ValueLeaf> values = leavesOf(ran.at("outputs"), "output");
    std::optional<double> farthest;
    bool isOfOneForm = values.size() == round.candidate.size();
    for (size_t i = 0; isOfOneForm && i < values.size(); ++i) {
        const ValueLeaf &mine = round.candidate[i];
        // What the call leaves in the model's own tensors is the mode's doing, too.
        if (!mine.isTensor() || !values[i].isTensor() || mine.path.starts_with("buffer "))
            continue;
        isOfOneForm = describeTensor(mine.node) == describeTensor(values[i].node);
        if (!isOfOneForm)
            break;
        const double distance = differenceOfTimed(tensorAt(values[i].node, reference.arena()),
                                                  tensorAt(mine.node, candidate.arena()));
        farthest = !(distance <= farthest.value_or(0.0)) ? distance : farthest.value_or(0.0); // NaN is far
    }
    reference.call("release", {{"last", 1}}, limitSeconds);
    return isOfOneForm ? farthest : std::nullopt;
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

bool keepsSpecials(const at::Tensor &wanted, const at::Tensor &got) {
    const at::Tensor isNumber = at::isfinite(wanted);
    if (isNumber.all().item<bool>())
        return true;
    const at::Tensor isSame =
        at::eq(wanted, got).logical_or_(at::logical_and(at::isnan(wanted), at::isnan(got)));
    return isSame.logical_or_(isNumber).all().item<bool>();
}

bool haveSameSpecials(const VerificationRound &round, const WorkerProcess &candidate,
                      const WorkerProcess &reference) {
    for (size_t i = 0; i < round.reference.size() && i < round.candidate.size(); ++i) {
        if (!round.reference[i].isTensor() || !round.candidate[i].isTensor())
            continue;
        const FlatValues wanted(tensorAt(round.reference[i].node, reference.arena()));
        const FlatValues got(tensorAt(round.candidate[i].node, candidate.arena()));
        for (int64_t start = 0; wanted.isFloatingPoint() && start < wanted.numel(); start += chunkElements) {
            if (!keepsSpecials(wanted.slice(start, start + chunkElements),
                               got.slice(start, start + chunkElements)))
                return false;
        }
    }
    return true;
}

bool isOfOtherMode(const VerificationRound &round, const WorkerProcess &candidate, WorkerProcess &reference,
                   bool clone) {
    const std::optional<double> other = distanceFromMode(round, candidate, reference, clone, true);
    if (!other || !(*other <= sameMode))
        return false;
    // A model without modes gives the same in both, and a result may be near to it for reasons of its own.
    const std::optional<double> own = distanceFromMode(round, candidate, reference, clone, false);
    return !own || *own > clearlyOther * *other;
}

bool doesReferenceRun(TaskSession &session, const Json &inputs) {
    WorkerProcess &reference = session.reference();
    try {
        reference.call("run", {{"inputs", inputs}, {"clone", session.clonesInputs()}, {"mode", "strict"}},
                       limitSeconds);
        reference.call("release", {{"last", 1}}, limitSeconds);
        session.trim(reference);
        return true;
    } catch (const WorkerFault &fault) {
        if (fault.kind != WorkerFault::Kind::Raised || fault.outOfMemory)
            throw;
        return false;
    }
}

bool haveUsualShapes(const VerificationRound &round, const Json &facts) {
    const std::vector<ValueLeaf> first = leavesOf(facts.value("outputs", Json::object()), "output");
    return std::equal(first.begin(), first.end(), round.reference.begin(), round.reference.end(),
                      [](const ValueLeaf &was, const ValueLeaf &now) {
                          return !was.isTensor() || describeTensor(was.node) == describeTensor(now.node);
                      });
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
