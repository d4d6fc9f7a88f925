// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/timing/call_examiner.h"

#include "referee/base/report_text.h"
#include "referee/base/secret_seed.h"
#include "referee/comparison/comparison.h"
#include "referee/comparison/judged_tensor.h"
#include "referee/verification/reference_values.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/logical_and.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/take.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

namespace warpwright {

namespace {

constexpr double limitSeconds = 120.0;
constexpr size_t mostTensors = 2048;   // of a result: further ones are not looked at
constexpr size_t tensorsOfBatch = 256; // which ones, nobody knows
constexpr uint32_t leastCalls = 2;
constexpr double leftOut = 0.05;

// Of one candidate's own results: how far is far, by an element's own size, and how many may be. Sums that
// cancel are far off in another order, few of them.
constexpr double farOff = 0.01;
constexpr double mostFar = 0.01;

// Of a larger result, so many elements at secret places: a twentieth that is missing is not missed by one in
// 10^22. One call of a batch is compared as a whole; on a CPU, where a pass over a large one takes as long
// as the call, in the first batch, and by chance.
constexpr int64_t sampledElements = 1024;
constexpr unsigned batchesBetweenWhole[] = {4, 2}; // CPU, CUDA

// No element may be off by more times what a call's root mean square may be.
constexpr double largestShare = 16.0;
constexpr double leastLargest = 1e-3;

at::Tensor doubles(const at::Tensor &values) {
    const at::Tensor here = values.cpu();
    return here.is_complex() ? at::view_as_real(here.to(at::kComplexDouble)).flatten(1)
                             : here.to(at::kDouble);
}

/// Of rows of calls: the largest root mean square of a call's differences, and the largest difference of an
/// element by its own size; both by the RMS value of all. Infinite where a number was lost.
struct Differences {
    double rms = 0.0;
    double largest = 0.0;
};

/// Of so many whole numbers, where such a part of all may differ: ties.
double allowedOfSample(double part, int64_t count) {
    const double expected = part * static_cast<double>(count);
    return part > 0.0 ? (expected + 4.0 * std::sqrt(expected) + 2.0) / static_cast<double>(count) : 0.0;
}

Differences differencesOf(const at::Tensor &wanted, const at::Tensor &got) {
    const at::Tensor a = doubles(wanted);
    const at::Tensor b = doubles(got);
    const at::Tensor isFinite = at::isfinite(a);
    const at::Tensor isLost = at::logical_and(isFinite, at::isfinite(b).logical_not());
    if (isLost.any().item<bool>())
        return {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    const at::Tensor size = at::where(isFinite, a, at::zeros_like(a));
    const at::Tensor off = at::where(isFinite, at::sub(a, b), at::zeros_like(a)).abs_();
    const double scale = std::sqrt(size.square().mean().item<double>());
    const double rms = std::sqrt(off.square().mean(1).max().item<double>());
    if (scale <= 0.0)
        return {rms, rms};
    return {rms / scale, off.div(size.abs().add_(scale)).max().item<double>()};
}

} // namespace

CallExaminer::CallExaminer(TaskSession &session, const Json &sets, const Wish &wish)
    : m_session(session), m_sets(sets), m_wish(wish), m_random(secretSeed()) {}

void CallExaminer::settleWrong(const std::string &reason, const std::string &advice) {
    stage().settle("wrong", reason, advice);
}

void CallExaminer::learnForm(TimedArm &arm) {
    const Json form = arm.worker->call("form", Json::object(), limitSeconds);
    m_form.clear();
    const Json &addresses = form.at("addresses");
    for (ValueLeaf &leaf : leavesOf(form.at("outputs"), "output")) {
        if (leaf.isTensor() && m_form.size() < std::min<size_t>(mostTensors, addresses.size()))
            m_form.push_back(std::move(leaf));
    }
    if (addresses.size() > mostTensors)
        stage().doubt("Of the " + std::to_string(addresses.size()) + " tensors of a timed result the first " +
                      std::to_string(mostTensors) +
                      " are compared with the reference's, and the others are not.");
    m_arena = form.at("arena").get<uint64_t>();
    m_inputs = form.at("inputs").get<uint64_t>();
    m_copies = form.value("copies", false);
    m_isLearnt = true;
    arm.tensors = std::max(1u, static_cast<uint32_t>(m_form.size()));
}

// The last ones, which are late where any is, and others by chance.
std::vector<uint32_t> CallExaminer::pick(uint32_t made, uint32_t kept) {
    const uint32_t wanted =
        m_seconds < m_wish.seconds ? static_cast<uint32_t>(m_wish.callsOfBatch) : leastCalls;
    std::set<uint32_t> chosen;
    const uint32_t count = std::min(std::max(wanted, leastCalls), kept);
    for (uint32_t i = 0; i < std::min(leastCalls, count); ++i)
        chosen.insert(made - 1 - i);
    while (chosen.size() < count)
        chosen.insert(made - 1 - static_cast<uint32_t>(m_random() % kept));
    return {chosen.begin(), chosen.end()};
}

// Of the candidate's words only the address counts; what lies there is read by the form it had before.
at::Tensor CallExaminer::resultOf(const TimedArm &arm, const BlockTimer::Batch &batch, uint32_t call,
                                  size_t tensor, Json *where) {
    const SharedRegion &inputs = m_session.inputs();
    Json node = m_form[tensor].node;
    const uint64_t address =
        arm.worker->placeOf(call % batch.ring, arm.tensors, static_cast<uint32_t>(tensor));
    const bool isInput = address - m_inputs < inputs.bytes();
    if (isInput && !m_session.facts().value("aliasesInputs", false))
        settleWrong("A timed call returned its input's memory as " + m_form[tensor].path +
                        "; the reference returns new memory, and the same code did so when it was verified.",
                    "Return the same kind of tensors from every call.");
    node["offset"] = address == 0 ? 0 : address - (isInput ? m_inputs : m_arena);
    if (where != nullptr)
        *where = node;
    return isInput ? tensorAt(node, inputs.base(), inputs.bytes(), inputs.kind())
                   : tensorAt(node, arm.worker->arena());
}

// Not by torch's own generator: everybody knows what that begins with.
at::Tensor CallExaminer::secretPositions(int64_t elements) {
    at::Tensor positions = at::empty({sampledElements}, at::TensorOptions().dtype(at::kLong));
    auto *place = positions.mutable_data_ptr<int64_t>();
    for (int64_t i = 0; i < sampledElements; ++i)
        place[i] = static_cast<int64_t>(m_random() % static_cast<uint64_t>(elements));
    return positions;
}

std::vector<size_t> CallExaminer::pickTensors() {
    std::vector<size_t> all(m_form.size());
    std::iota(all.begin(), all.end(), size_t{0});
    if (all.size() > tensorsOfBatch) {
        std::shuffle(all.begin(), all.end(), m_random);
        all.resize(tensorsOfBatch);
    }
    return all;
}

CallExaminer::Taken CallExaminer::take(const TimedArm &arm, const BlockTimer::Batch &batch, bool isWhole) {
    Taken taken;
    taken.calls = pick(batch.end.made, std::min(batch.end.made, batch.ring));
    std::shuffle(taken.calls.begin(), taken.calls.end(), m_random); // which one is compared as a whole
    for (const uint32_t call : taken.calls)
        taken.sets.push_back(batch.sets[call % batch.sets.size()]);
    taken.tensors = pickTensors();
    demandOwnMemory(arm, batch, taken);
    for (const size_t tensor : taken.tensors) {
        std::vector<at::Tensor> rows;
        at::Tensor positions;
        for (size_t row = 0; row < taken.calls.size(); ++row) {
            Json node;
            const at::Tensor whole = resultOf(arm, batch, taken.calls[row], tensor, &node);
            const at::Tensor values =
                whole.is_floating_point() && whole.element_size() == 1 ? whole.to(at::kFloat) : whole;
            if (row == 0) {
                taken.nodes.push_back(node);
                if (values.numel() > sampledElements)
                    positions = secretPositions(values.numel());
                taken.positions.push_back(positions);
                if (isWhole && positions.defined())
                    taken.whole.push_back(whole);
                else if (isWhole)
                    taken.whole.emplace_back(); // its rows are all of it
            }
            rows.push_back(positions.defined() ? at::take(values, positions.to(values.device()))
                                               : values.reshape({-1}));
        }
        taken.rows.push_back(at::stack(rows));
    }
    return taken;
}

// Results that lay apart when the candidate was verified.
void CallExaminer::demandOwnMemory(const TimedArm &arm, const BlockTimer::Batch &batch, const Taken &taken) {
    const auto sharers = [](std::vector<std::pair<uint64_t, uint64_t>> places) {
        std::sort(places.begin(), places.end());
        size_t found = 0;
        for (size_t i = 1; i < places.size(); ++i)
            found += places[i].second > 0 && places[i].first < places[i - 1].first + places[i - 1].second;
        return found;
    };
    std::vector<std::pair<uint64_t, uint64_t>> before, now;
    for (const size_t tensor : taken.tensors) {
        const Json &node = m_form[tensor].node;
        const uint64_t bytes = bytesOfTensors(node);
        before.emplace_back(node.value("offset", uint64_t{0}), bytes);
        now.emplace_back(
            arm.worker->placeOf(taken.calls[0] % batch.ring, arm.tensors, static_cast<uint32_t>(tensor)),
            bytes);
    }
    if (sharers(now) > sharers(before))
        settleWrong("A timed call returned two results in the same memory; when the same code was verified, "
                    "they lay apart.",
                    "Return the same kind of tensors from every call.");
}

void CallExaminer::examine(TimedArm &arm, const BlockTimer::Batch &batch) {
    if (!stage().isOpen())
        return;
    if (batch.end.isForged) {
        stage().reject("forged-end",
                       "the end of a batch was told after " + std::to_string(batch.end.made) +
                           " calls, before the judge had named the last one",
                       "The candidate's process said that a batch of timed calls was over when it was not.",
                       "Only the judge's own loop says so: leave its memory alone.");
        return;
    }
    const uint32_t kept = std::min(batch.end.made, batch.ring);
    if (m_isLearnt && m_form.empty())
        return settleWrong("The timed calls returned no tensor.", "Return the same tensors from every call.");
    if (m_form.empty() || kept == 0)
        return;
    const Phases::Span span(m_session.phases(), "timed outputs");
    m_made += batch.end.made;
    ++m_batches;
    m_stopped += batch.end.isStopped;
    const bool isCuda = m_session.device().memory == MemoryKind::Cuda;
    const bool isRoomy = m_session.isRoomy();
    const bool isWhole = isRoomy && (m_batches == 1 || m_random() % batchesBetweenWhole[isCuda] == 0);
    const uint64_t start = monotonicNanoseconds();
    try {
        Taken taken = take(arm, batch, isWhole);
        if (std::exchange(m_keepsNext, false))
            m_kept = taken;
        if (isRoomy)
            compare(taken);
        else
            m_waiting.push_back(std::move(taken));
    } catch (const Fault &) {
        settleWrong(
            "A timed call returned a tensor in memory where the judge does not see it, though earlier "
            "calls did not.",
            "Return the same kind of tensors from every call.");
    }
    m_seconds += static_cast<double>(monotonicNanoseconds() - start) * 1e-9;
}

void CallExaminer::compareTaken() {
    for (const Taken &taken : std::exchange(m_waiting, {})) {
        if (stage().isOpen())
            compare(taken);
    }
}

void CallExaminer::compare(const Taken &taken) {
    WorkerProcess &reference = m_session.reference();
    Json request{
        {"sets", Json::array()}, {"clone", m_session.clonesInputs()}, {"whole", taken.whole.empty() ? 0 : 1}};
    for (const int set : taken.sets)
        request["sets"].push_back(m_sets[static_cast<size_t>(set)]);
    request["positions"] = Json::array_t(m_form.size(), Json::array()); // none of the others
    for (size_t i = 0; i < taken.tensors.size(); ++i) {
        const at::Tensor &positions = taken.positions[i];
        request["positions"][taken.tensors[i]] =
            positions.defined()
                ? Json(std::vector<int64_t>(positions.const_data_ptr<int64_t>(),
                                            positions.const_data_ptr<int64_t>() + positions.numel()))
                : Json();
    }
    m_session.asTask([&] {
        const Json theirs = reference.call("sample", std::move(request), limitSeconds);
        const std::vector<ValueLeaf> rows = leavesOf(theirs.at("sampled"), "output");
        if (m_form.size() != std::min(mostTensors, theirs.at("tensors").get<size_t>()))
            settleWrong("The timed calls returned another number of tensors than the reference does.",
                        "Return the same tensors from every call.");
        for (size_t i = 0; i < taken.rows.size() && stage().isOpen(); ++i)
            compareRows(taken, i, tensorAt(rows.at(taken.tensors[i]).node, reference.arena()));
        if (!taken.whole.empty() && stage().isOpen()) {
            std::vector<ValueLeaf> leaves = leavesOf(theirs.at("outputs").at(0), "output");
            std::erase_if(leaves, [](const ValueLeaf &leaf) { return !leaf.isTensor(); });
            for (size_t i = 0; i < taken.whole.size() && stage().isOpen(); ++i)
                compareWhole(taken, i, leaves.at(taken.tensors[i]));
        }
        reference.call("release", Json::object(), 60.0);
        m_session.trim(reference);
    });
    m_examined += static_cast<int>(taken.calls.size());
}

void CallExaminer::compareRows(const Taken &taken, size_t tensor, const at::Tensor &wanted) {
    const at::Tensor &got = taken.rows[tensor];
    const bool isFloat = wanted.is_floating_point() || wanted.is_complex();
    const double allowed = isFloat ? m_wish.allowed : allowedOfSample(m_wish.allowedWhole, got.size(1));
    if (wanted.sizes() != got.sizes() || wanted.dtype() != got.dtype()) {
        settleWrong("A timed call returned " + describeTensor(taken.nodes[tensor]) + " as " +
                        pathOf(taken, tensor) +
                        ", and the reference another form; the same code did so when it was verified.",
                    "Return the same tensors from every call.");
        return;
    }
    if (got.numel() == 0)
        return;
    Differences found;
    if (isFloat && m_wish.specials && !keepsSpecials(doubles(wanted), doubles(got)))
        return settleSpecials(pathOf(taken, tensor));
    if (isFloat)
        found = differencesOf(wanted, got);
    else
        found.rms = at::ne(wanted, got).to(at::kDouble).mean(1).max().item<double>();
    const bool isWide = !(found.rms <= allowed);
    if (!isWide && found.largest <= std::max(largestShare * allowed, leastLargest))
        return;
    settleDifference(pathOf(taken, tensor), isWide ? found.rms : found.largest,
                     isWide ? allowed : std::max(largestShare * allowed, leastLargest), !isWide);
}

void CallExaminer::compareWhole(const Taken &taken, size_t tensor, const ValueLeaf &leaf) {
    if (!taken.whole[tensor].defined())
        return;
    if (describeTensor(taken.nodes[tensor]) != describeTensor(leaf.node)) {
        settleWrong("A timed call returned " + describeTensor(taken.nodes[tensor]) + " as " +
                        pathOf(taken, tensor) + ", where the reference returns " + describeTensor(leaf.node) +
                        "; the same code did so when it was verified.",
                    "Return the same tensors from every call.");
        return;
    }
    const at::Tensor wanted = tensorAt(leaf.node, m_session.reference().arena());
    const bool isFloat = wanted.is_floating_point() || wanted.is_complex();
    const double allowed = isFloat ? m_wish.allowed : std::max(m_wish.allowed, m_wish.allowedWhole);
    if (wanted.is_floating_point() && wanted.element_size() > 1 && m_wish.specials &&
        !keepsSpecials(wanted, taken.whole[tensor]))
        return settleSpecials(pathOf(taken, tensor));
    const double difference = differenceOfTimed(wanted, taken.whole[tensor]);
    if (!(difference <= allowed))
        settleDifference(pathOf(taken, tensor), difference, allowed, false);
}

namespace {

/// How two results of one call differ: floats by the RMS value of `own`, whole numbers by the part that does.
struct OwnDifference {
    double size = 0.0;
    double far = 0.0; ///< the part of its numbers that are off by more than a hundredth of their own size
};

OwnDifference ownDifference(const at::Tensor &own, const at::Tensor &other) {
    if (own.sizes() != other.sizes() || own.dtype() != other.dtype())
        return {std::numeric_limits<double>::infinity(), 1.0};
    if (own.numel() == 0)
        return {};
    if (!own.is_floating_point() && !own.is_complex()) {
        const double part = at::ne(own, other).to(at::kDouble).mean().item<double>();
        return {part, part};
    }
    const at::Tensor a = doubles(own);
    const at::Tensor b = doubles(other);
    if (!keepsSpecials(a, b))
        return {std::numeric_limits<double>::infinity(), 1.0};
    const at::Tensor isFinite = at::isfinite(a);
    const at::Tensor size = at::where(isFinite, a, at::zeros_like(a)).abs_();
    const at::Tensor off = at::where(isFinite, at::sub(a, b), at::zeros_like(a)).abs_();
    const double scale = std::sqrt(size.square().mean().item<double>());
    const double far = off.gt(size.mul(farOff)).to(at::kDouble).mean().item<double>();
    return {std::sqrt(off.square().mean().item<double>()) / (scale > 0.0 ? scale : 1.0), far};
}

/// The tensors of a result, and its plain numbers as timed results have them.
std::vector<at::Tensor> timedForm(const std::vector<ValueLeaf> &leaves, const WorkerProcess &candidate) {
    std::vector<at::Tensor> all;
    for (const ValueLeaf &leaf : leaves) {
        if (leaf.isTensor()) {
            const at::Tensor tensor = tensorAt(leaf.node, candidate.arena());
            const bool isNarrow = tensor.is_floating_point() && tensor.element_size() == 1;
            all.push_back(isNarrow ? tensor.to(at::kFloat) : tensor);
            continue;
        }
        const Json value = leaf.node.value("value", Json());
        const std::string kind = leaf.node.value("kind", "");
        if (kind == "float" && value.is_string())
            all.push_back(at::full({}, std::strtod(value.get_ref<const std::string &>().c_str(), nullptr),
                                   at::kDouble));
        else if (kind == "value" && value.is_boolean())
            all.push_back(at::full({}, value.get<bool>() ? 1.0 : 0.0, at::kDouble));
        else if (kind == "value" && value.is_number())
            all.push_back(at::full({}, value.get<double>(), at::kDouble));
    }
    return all;
}

} // namespace

void CallExaminer::compareWithLater(const TimedCandidate::Later &later, const WorkerProcess &candidate) {
    const std::vector<at::Tensor> first = timedForm(later.again, candidate);
    const std::vector<at::Tensor> second = timedForm(later.results, candidate);
    // What a call writes beside its result is in one form and not in the other.
    if (std::min(first.size(), mostTensors) != m_form.size() || second.size() != first.size())
        return;
    for (size_t i = 0; i < m_kept.tensors.size() && stage().isOpen(); ++i) {
        const auto sampled = [&](const at::Tensor &all) {
            const at::Tensor &places = m_kept.positions[i];
            return places.defined() ? at::take(all, places.to(all.device())) : all.reshape({-1});
        };
        const at::Tensor own = sampled(second[m_kept.tensors[i]]);
        const OwnDifference usual = ownDifference(own, sampled(first[m_kept.tensors[i]]));
        const OwnDifference timed = ownDifference(own, m_kept.rows[i][0].reshape({-1}));
        const bool isFloat = own.is_floating_point() || own.is_complex();
        const double alike = isFloat ? m_wish.fromItself : mostFar;
        // Of few numbers, two may be what is left of larger ones.
        const double mayBeFar =
            std::max(mostFar, 2.0 / static_cast<double>(std::max<int64_t>(own.numel(), 1)));
        if (!(timed.size <= std::max(4.0 * usual.size, alike) &&
              timed.far <= std::max(mayBeFar, 4.0 * usual.far)))
            settleWrong("A timed call returned something else than the same candidate does in two other "
                        "calls on the same inputs: " +
                            pathOf(m_kept, i) + " differs by " + scientific(timed.size) +
                            (isFloat ? " of its RMS value, " : " of its elements, ") + scientific(timed.far) +
                            " of its elements by more than a hundredth of their size (those two by " +
                            scientific(usual.size) + ").",
                        "Compute the same in every call.");
        else if (usual.size > 16.0 * alike)
            stage().doubt("Two calls on the same inputs differ by " + scientific(usual.size) + " in " +
                          pathOf(m_kept, i) +
                          ": whether timed calls are like those that were verified was not seen.");
    }
}

void CallExaminer::settleSpecials(const std::string &path) {
    settleWrong("A result from the timed calls has other NaN or infinities than the reference: " + path +
                    "; when the same code was verified, they were the same.",
                "Look for state kept between calls: caches, static buffers, counters.");
}

void CallExaminer::settleDifference(const std::string &path, double difference, double allowed,
                                    bool isOfElement) {
    settleWrong("A result from the timed calls differs from the reference: " + path + " by " +
                    scientific(difference) + (isOfElement ? " of an element's size" : " of its RMS value") +
                    " (allowed " + scientific(allowed) + "), though the same code passed verification.",
                "Look for state kept between calls: caches, static buffers, counters.");
}

Json CallExaminer::toJson() const {
    // All calls that were made, or so many of them by chance.
    const double found = m_examined >= m_made ? 1.0 : 1.0 - std::pow(1.0 - leftOut, m_examined);
    return {{"calls", m_examined},  {"made", m_made},
            {"batches", m_batches}, {"stopped", m_stopped},
            {"copies", m_copies},   {"finds", {{"share", leftOut}, {"probability", found}}}};
}

} // namespace warpwright
