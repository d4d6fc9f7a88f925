// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/timing/timed_inputs.h"

#include "referee/base/secret_seed.h"
#include "referee/base/value_tree.h"
#include "referee/comparison/judged_tensor.h"
#include "referee/device/ceilings.h"
#include "referee/task/fingerprint.h"

#include <algorithm>

namespace warpwright {

namespace {

// Drawing before one batch may take so long where rows cannot be traded.
constexpr double onlyDrawBudgetSeconds = 0.05;

constexpr int64_t tradedBytes = int64_t{256} << 20; // at once: as much more memory is needed for a moment

constexpr size_t seenSets = 4; ///< a property of so many is one of all
constexpr double limitSeconds = 60.0;

// In each block: which ones, nobody knows. On a CPU each costs a pass over its memory.
constexpr int watchedSets[] = {1, 4}; // CPU, CUDA

} // namespace

TimedInputs::TimedInputs(TaskSession &session, int sets, double drawBudgetSeconds,
                         const std::vector<WorkerProcess *> &workers)
    : m_session(session), m_drawBudgetSeconds(drawBudgetSeconds), m_random(secretSeed()) {
    m_session.resizeInputs(m_session.inputBytes() * static_cast<uint64_t>(sets), workers);
    m_sets = Json::array_t(static_cast<size_t>(sets));
    const uint64_t start = monotonicNanoseconds();
    draw(0, static_cast<size_t>(sets));
    m_drawSeconds = static_cast<double>(monotonicNanoseconds() - start) * 1e-9 / sets;
    m_canTrade = m_canTrade && sets > 1 && mayTrade();
}

// What is sorted, symmetric or adds up would not be so any more.
bool TimedInputs::mayTrade() const {
    const size_t seen = std::min(m_sets.size(), seenSets);
    const Json some(m_sets.begin(), m_sets.begin() + static_cast<std::ptrdiff_t>(seen));
    return m_session.reference().call("may_trade_rows", {{"sets", some}}, limitSeconds).value("may", false);
}

void TimedInputs::draw(size_t first, size_t count) {
    Json drawn = m_session.drawInputSets(first, count);
    for (size_t i = 0; i < count; ++i) {
        m_sets[first + i] = std::move(drawn.at(i));
        m_canTrade = m_canTrade && isAlike(first + i);
    }
}

// As set 0, further on: the same tensors of plain floats, at the same places.
bool TimedInputs::isAlike(size_t index) const {
    const std::vector<ValueLeaf> first = leavesOf(m_sets[0], "input");
    const std::vector<ValueLeaf> other = leavesOf(m_sets[index], "input");
    return std::equal(
        first.begin(), first.end(), other.begin(), other.end(), [&](const ValueLeaf &a, const ValueLeaf &b) {
            if (!a.isTensor() || !b.isTensor())
                return a.isTensor() == b.isTensor();
            const Json &place = b.node.value("offset", Json());
            return isPlainFloat(a.node.value("dtype", "")) && !hasWindows(a.node) &&
                   describeTensor(a.node) == describeTensor(b.node) &&
                   a.node.value("strides", Json()) == b.node.value("strides", Json()) &&
                   place == a.node.value("offset", uint64_t{0}) + index * m_session.inputBytes();
        });
}

void TimedInputs::drawAll() {
    draw(0, m_sets.size());
    watch({0});
}

void TimedInputs::refresh(const std::vector<int> &order) {
    const Phases::Span span(m_session.phases(), "inputs");
    const double budget =
        m_canTrade ? m_drawBudgetSeconds : std::max(m_drawBudgetSeconds, onlyDrawBudgetSeconds);
    const auto affordable = static_cast<size_t>(budget / std::max(m_drawSeconds, 1e-6));
    const size_t drawn = std::clamp<size_t>(affordable, 1, m_sets.size());
    const auto called = static_cast<size_t>(order[m_random() % order.size()]);
    const size_t first = drawn == m_sets.size() ? 0 : called;
    const size_t upToEnd = std::min(drawn, m_sets.size() - first);
    draw(first, upToEnd);
    if (drawn > upToEnd)
        draw(0, drawn - upToEnd);
    m_fresh = called;
    if (!m_canTrade || drawn == m_sets.size())
        return;
    for (const ValueLeaf &leaf : leavesOf(m_sets[0], "input")) {
        if (leaf.isTensor())
            trade(withoutRepeats(leaf.node));
    }
    idle(m_session.device().memory);
}

Json TimedInputs::printOf(size_t index) const {
    const SharedRegion &inputs = m_session.inputs();
    return fingerprint(inputs.base() + index * m_session.inputBytes(), m_session.inputBytes(), inputs.kind());
}

void TimedInputs::watch(const std::vector<int> &order) {
    const Phases::Span span(m_session.phases(), "input prints");
    m_watched.clear();
    const bool cuda = m_session.device().memory == MemoryKind::Cuda;
    for (int i = 0; i < watchedSets[cuda]; ++i) {
        // A batch of few calls sees few of many sets; and what is not called may be written to as well.
        const bool isAnyOne = m_random() % 4 == 0;
        const bool isFresh = m_fresh && i == 0 && !(isAnyOne && watchedSets[cuda] == 1);
        const size_t index = isFresh    ? *m_fresh
                             : isAnyOne ? m_random() % m_sets.size()
                                        : static_cast<size_t>(order[m_random() % order.size()]);
        m_watched[index] = printOf(index);
    }
    m_fresh.reset();
}

bool TimedInputs::areWhole() const {
    const Phases::Span span(m_session.phases(), "input prints");
    return std::all_of(m_watched.begin(), m_watched.end(),
                       [this](const auto &watched) { return printOf(watched.first) == watched.second; });
}

// The tensor that is `leaf` in set 0, of `count` sets at once: they lie one after the other and are alike.
at::Tensor TimedInputs::inSets(const Json &leaf, size_t first, size_t count) const {
    const SharedRegion &inputs = m_session.inputs();
    const auto itemBytes =
        static_cast<uint64_t>(tensorAt(leaf, inputs.base(), inputs.bytes(), inputs.kind()).element_size());
    Json all = leaf;
    all["offset"] = leaf.at("offset").get<uint64_t>() + first * m_session.inputBytes();
    all["sizes"].insert(all["sizes"].begin(), count);
    all["strides"].insert(all["strides"].begin(), m_session.inputBytes() / itemBytes);
    return tensorAt(all, inputs.base(), inputs.bytes(), inputs.kind());
}

// The same rows of all sets go on to the next set: few operations, however many sets there are.
void TimedInputs::trade(const Json &leaf) {
    const at::Tensor one = inSets(leaf, 0, 1)[0];
    int64_t dimension = 0;
    while (dimension < one.dim() && one.size(dimension) < 2)
        ++dimension;
    if (dimension == one.dim() || one.numel() == 0)
        return;
    const int64_t size = one.size(dimension);
    const int64_t length =
        std::min(size, std::max<int64_t>(1, size / 64 + static_cast<int64_t>(m_random() % 16) * size / 512));
    const auto start = static_cast<int64_t>(m_random() % static_cast<uint64_t>(size - length + 1));
    const int64_t rowBytes = one.numel() / size * one.element_size();
    const auto group = static_cast<size_t>(std::max<int64_t>(2, tradedBytes / (length * rowBytes)));
    for (size_t first = 0; first < m_sets.size(); first += group) {
        const size_t begin = std::min(first, m_sets.size() - 2); // a lone last one trades with its neighbour
        const size_t count = std::min(group, m_sets.size() - begin);
        const at::Tensor rows = inSets(leaf, begin, count).narrow(dimension + 1, start, length);
        rows.copy_(rows.roll({1}, {0}));
    }
}

} // namespace warpwright
