// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/call_examiner.h"

#include "referee/comparison.h"
#include "referee/judged_tensor.h"
#include "referee/report_text.h"

#include <ATen/Functions.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace warpwright {

namespace {

constexpr double limitSeconds = 120.0;
constexpr uint32_t mostTensors = 256; // of a result: further ones are not looked at
constexpr double leftOut = 0.05;

// Larger ones are compared at secret positions, but for a few: a pass over each would take longer than the
// calls. A twentieth that is left out is found with 1 - 1e-6 by 270 of them.
constexpr int64_t wholeElements[] = {int64_t{1} << 18, int64_t{1} << 23}; // CPU, CUDA
constexpr int64_t positions = 2048;
// On a CPU a pass over a large one takes as long as the call: in the first batch, and by chance.
constexpr unsigned batchesBetweenWhole[] = {4, 1};
constexpr uint32_t leastCalls = 2;

// No element may be off by more times what their root mean square may be.
constexpr double largestShare = 16.0;

double rmsOf(const at::Tensor &values) {
    return std::sqrt(values.to(at::kDouble).square().mean().item<double>());
}

// The largest difference of an element, by its own size and the whole's.
double largestDifference(const at::Tensor &wanted, const at::Tensor &got) {
    const at::Tensor a = wanted.to(at::kDouble);
    const at::Tensor d = at::sub(a, got.to(at::kDouble)).abs().div_(a.abs().add_(rmsOf(a)));
    return at::nan_to_num(d, 0.0, 0.0, 0.0).max().item<double>();
}

} // namespace

CallExaminer::CallExaminer(TaskSession &session, const Json &sets, const Wish &wish)
    : m_session(session), m_sets(sets), m_wish(wish), m_random(TaskSession::secretSeed()) {}

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
    m_arena = form.at("arena").get<uint64_t>();
    m_inputs = form.at("inputs").get<uint64_t>();
    m_copies = form.value("copies", false);
    arm.tensors = std::max(1u, static_cast<uint32_t>(m_form.size()));
}

// The last ones, which are late where any is, and others by chance.
std::vector<uint32_t> CallExaminer::pick(uint32_t made, uint32_t kept) {
    const uint32_t wanted = m_seconds < m_wish.seconds ? static_cast<uint32_t>(m_wish.callsOfBatch) : leastCalls;
    std::set<uint32_t> chosen;
    const uint32_t count = std::min(std::max(wanted, leastCalls), kept);
    for (uint32_t i = 0; i < std::min(leastCalls, count); ++i)
        chosen.insert(made - 1 - i);
    while (chosen.size() < count)
        chosen.insert(made - 1 - static_cast<uint32_t>(m_random() % kept));
    return {chosen.begin(), chosen.end()};
}

CallExaminer::Call CallExaminer::take(const TimedArm &arm, const BlockTimer::Batch &batch, uint32_t call,
                                      bool isWhole) {
    Call taken{call, batch.sets[call % batch.sets.size()], {}};
    const WorkerArena &arena = arm.worker->arena();
    const SharedRegion &inputs = m_session.inputs();
    const int64_t most = wholeElements[m_session.device().memory == MemoryKind::Cuda];
    for (uint32_t i = 0; i < m_form.size() && stage().isOpen(); ++i) {
        Json node = m_form[i].node;
        const uint64_t address = arm.worker->placeOf(call % batch.ring, arm.tensors, i);
        const bool isInput = address - m_inputs < inputs.bytes();
        node["offset"] = address == 0 ? 0 : isInput ? address - m_inputs : address - m_arena;
        at::Tensor values;
        try {
            values = isInput ? tensorAt(node, inputs.base(), inputs.bytes(), inputs.kind())
                             : tensorAt(node, arena);
        } catch (const Fault &) {
            settleWrong("A timed call returned " + m_form[i].path +
                            " in memory where the judge does not see it, though earlier calls did not.",
                        "Return the same kind of tensors from every call.");
            break;
        }
        Taken tensor{m_form[i].path, node, values, {}};
        if (values.numel() > most && !isWhole) {
            tensor.positions =
                at::randint(values.numel(), {positions}, at::TensorOptions().dtype(at::kLong));
            tensor.positions = tensor.positions.to(values.device());
            tensor.values = at::take(values, tensor.positions);
        }
        taken.tensors.push_back(std::move(tensor));
    }
    return taken;
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
    if (m_form.empty() || kept == 0)
        return;
    const Phases::Span span(m_session.phases(), "timed outputs");
    m_made += batch.end.made;
    ++m_batches;
    m_stopped += batch.end.isStopped;
    const bool isRoomy = m_session.isRoomy();
    const bool isCuda = m_session.device().memory == MemoryKind::Cuda;
    bool isWhole = isRoomy && (m_batches == 1 || m_random() % batchesBetweenWhole[isCuda] == 0);
    for (const uint32_t call : pick(batch.end.made, kept)) {
        Call taken = take(arm, batch, call, std::exchange(isWhole, false));
        if (!stage().isOpen())
            return;
        if (isRoomy)
            compare(taken);
        else
            m_waiting.push_back(std::move(taken));
    }
}

void CallExaminer::compareTaken() {
    for (const Call &call : std::exchange(m_waiting, {})) {
        if (stage().isOpen())
            compare(call);
    }
}

void CallExaminer::compare(const Call &call) {
    WorkerProcess &reference = m_session.reference();
    const uint64_t start = monotonicNanoseconds();
    m_session.asTask([&] {
        const Json theirs = reference.call("run",
                                           {{"inputs", m_sets[static_cast<size_t>(call.set)]},
                                            {"clone", m_session.clonesInputs()},
                                            {"mode", "strict"}},
                                           limitSeconds);
        std::vector<ValueLeaf> leaves = leavesOf(theirs.at("outputs"), "output");
        std::erase_if(leaves, [](const ValueLeaf &leaf) { return !leaf.isTensor(); });
        if (leaves.size() < call.tensors.size() || leaves.empty())
            settleWrong("A timed call returned other tensors than the same code did when it was verified.",
                        "Return the same tensors from every call.");
        for (size_t i = 0; i < call.tensors.size() && stage().isOpen(); ++i)
            compareTensor(call, call.tensors[i], leaves[i]);
        reference.call("release", Json::object(), 60.0);
        m_session.trim(reference);
    });
    ++m_examined;
    m_seconds += static_cast<double>(monotonicNanoseconds() - start) * 1e-9;
}

void CallExaminer::compareTensor(const Call &call, const Taken &mine, const ValueLeaf &leaf) {
    if (describeTensor(mine.node) != describeTensor(leaf.node)) {
        settleWrong("A timed call returned " + describeTensor(mine.node) + " as " + mine.path +
                        ", where the reference returns " + describeTensor(leaf.node) +
                        "; the same code did so when it was verified.",
                    "Return the same tensors from every call.");
        return;
    }
    at::Tensor wanted = tensorAt(leaf.node, m_session.reference().arena());
    double part = 1.0;
    if (mine.positions.defined()) {
        const double whole = wanted.is_floating_point() ? rmsOf(wanted) : 0.0;
        wanted = at::take(wanted, mine.positions);
        // By the size of the whole result: few positions may be of small numbers.
        if (whole > 0.0)
            part = std::min(1.0, rmsOf(wanted) / whole);
    }
    const double difference = differenceOfTimed(wanted, mine.values) * part;
    const bool isFloat = wanted.is_floating_point() || wanted.is_complex();
    const double allowed = isFloat ? m_wish.allowed : std::max(m_wish.allowed, m_wish.allowedWhole);
    const bool isSmall = wanted.numel() > 0 && wanted.numel() <= wholeElements[0];
    const double largest = difference <= allowed && wanted.is_floating_point() && isSmall
                               ? largestDifference(wanted, mine.values)
                               : 0.0;
    if (difference <= allowed && largest <= std::max(largestShare * allowed, 1e-3))
        return;
    const bool isWide = !(difference <= allowed);
    settleWrong("A result from the timed calls differs from the reference: " + mine.path + " of call " +
                    std::to_string(call.number + 1) + " of a batch by " +
                    scientific(isWide ? difference : largest) +
                    (isWide ? " of its RMS value (allowed " + scientific(allowed)
                            : " of the size of one element (allowed " + scientific(largestShare * allowed)) +
                    "), though the same code passed verification.",
                "Look for state kept between calls: caches, static buffers, counters.");
}

Json CallExaminer::toJson() const {
    // All calls that were made, or so many of them by chance.
    const double found = m_examined >= m_made ? 1.0 : 1.0 - std::pow(1.0 - leftOut, m_examined);
    return {{"calls", m_examined},   {"made", m_made},     {"batches", m_batches},
            {"stopped", m_stopped},  {"copies", m_copies}, {"finds", {{"share", leftOut}, {"probability", found}}}};
}

} // namespace warpwright
