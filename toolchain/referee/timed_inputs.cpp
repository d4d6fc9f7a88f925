// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/timed_inputs.h"

#include "referee/ceilings.h"
#include "referee/judged_tensor.h"
#include "referee/value_tree.h"

#include <algorithm>

namespace warpwright {

namespace {

// Drawing before one block may take so long where rows can be traded, and where they cannot.
constexpr double drawBudgetSeconds = 0.004;
constexpr double onlyDrawBudgetSeconds = 0.05;

constexpr int watchedSets = 4; // in each block: which ones, nobody knows

} // namespace

TimedInputs::TimedInputs(TaskSession &session, int sets, const std::vector<WorkerProcess *> &workers)
    : m_session(session), m_random(TaskSession::secretSeed()) {
    m_session.resizeInputs(m_session.inputBytes() * static_cast<uint64_t>(sets), workers);
    const uint64_t start = monotonicNanoseconds();
    for (int i = 0; i < sets; ++i) {
        m_sets.push_back(nullptr);
        draw(static_cast<size_t>(i));
    }
    m_drawSeconds = static_cast<double>(monotonicNanoseconds() - start) * 1e-9 / sets;
    for (const ValueLeaf &leaf : leavesOf(m_sets[0], "input")) {
        if (leaf.isTensor() && !isPlainFloat(leaf.node.value("dtype", "")))
            m_canTrade = false;
    }
    m_canTrade = m_canTrade && sets > 1;
}

void TimedInputs::draw(size_t index) {
    m_sets[index] = m_session.drawInputs(TaskSession::secretSeed(), index * m_session.inputBytes());
}

void TimedInputs::refresh() {
    const Phases::Span span(m_session.phases(), "inputs");
    const double budget = m_canTrade ? drawBudgetSeconds : onlyDrawBudgetSeconds;
    const auto affordable = static_cast<size_t>(budget / std::max(m_drawSeconds, 1e-6));
    const size_t drawn = std::clamp<size_t>(affordable, 1, m_sets.size());
    for (size_t i = 0; i < drawn; ++i)
        draw(m_nextDrawn++ % m_sets.size());
    if (!m_canTrade || drawn == m_sets.size())
        return;
    for (size_t i = 0; i < m_sets.size(); ++i)
        trade(m_sets[i], m_sets[(i + 1) % m_sets.size()]);
    idle(m_session.device());
}

Json TimedInputs::printOf(size_t index) const {
    const SharedRegion &inputs = m_session.inputs();
    return fingerprint(inputs.base() + index * m_session.inputBytes(), m_session.inputBytes(), inputs.kind());
}

void TimedInputs::watch() {
    const Phases::Span span(m_session.phases(), "checks");
    m_watched.clear();
    for (int i = 0; i < watchedSets; ++i) {
        const size_t index = m_random() % m_sets.size();
        m_watched[index] = printOf(index);
    }
}

bool TimedInputs::areWhole() const {
    const Phases::Span span(m_session.phases(), "checks");
    return std::all_of(m_watched.begin(), m_watched.end(),
                       [this](const auto &watched) { return printOf(watched.first) == watched.second; });
}

void TimedInputs::trade(const Json &one, const Json &other) {
    const SharedRegion &inputs = m_session.inputs();
    const std::vector<ValueLeaf> mine = leavesOf(one, "input");
    const std::vector<ValueLeaf> theirs = leavesOf(other, "input");
    for (size_t i = 0; i < mine.size() && i < theirs.size(); ++i) {
        if (!mine[i].isTensor() || describeTensor(mine[i].node) != describeTensor(theirs[i].node))
            continue;
        const at::Tensor left = tensorAt(mine[i].node, inputs.base(), inputs.bytes(), inputs.kind());
        const at::Tensor right = tensorAt(theirs[i].node, inputs.base(), inputs.bytes(), inputs.kind());
        int64_t dimension = 0;
        while (dimension < left.dim() && left.size(dimension) < 2)
            ++dimension;
        if (dimension == left.dim())
            continue;
        const int64_t size = left.size(dimension);
        const int64_t length =
            std::max<int64_t>(1, size / 8 + static_cast<int64_t>(m_random() % 16) * size / 128);
        const auto start =
            static_cast<int64_t>(m_random() % static_cast<uint64_t>(size - std::min(length, size) + 1));
        const at::Tensor here = left.narrow(dimension, start, std::min(length, size));
        const at::Tensor there = right.narrow(dimension, start, std::min(length, size));
        const at::Tensor kept = here.clone();
        here.copy_(there);
        there.copy_(kept);
    }
}

} // namespace warpwright
