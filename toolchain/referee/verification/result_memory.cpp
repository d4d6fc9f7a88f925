// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/verification/result_memory.h"

#include "referee/comparison/byte_overlap.h"
#include "referee/comparison/judged_tensor.h"
#include "referee/task/fingerprint.h"

#include <ATen/core/Tensor.h>

namespace warpwright {

namespace {

// First and one past the last byte that a tensor touches; both 0 where the description is no good.
std::pair<uint64_t, uint64_t> extentOf(const Json &node, uint64_t itemBytes) {
    const Json sizes = node.value("sizes", Json::array());
    const Json strides = node.value("strides", Json::array());
    uint64_t last = 0;
    for (size_t i = 0; i < sizes.size() && i < strides.size(); ++i) {
        if (sizes[i] == 0)
            return {0, 0};
        last += (sizes[i].get<uint64_t>() - 1) * strides[i].get<uint64_t>();
    }
    const uint64_t offset = node.value("offset", uint64_t{0});
    return {offset, offset + (last + 1) * itemBytes};
}

} // namespace

ResultMemory::ResultMemory(TaskSession &session, Json &answer) : m_session(session), m_stage(answer) {}

at::Tensor ResultMemory::tensorOf(const WorkerProcess &worker, const Json &node) const {
    return tensorAt(node, worker.arena());
}

// Of a dense one: its bytes in the order of memory.
Json ResultMemory::printOf(const WorkerProcess &worker, const Json &node) const {
    const at::Tensor result = tensorOf(worker, node);
    return fingerprint(reinterpret_cast<uint64_t>(result.const_data_ptr()), result.nbytes(),
                       worker.arena().kind());
}

bool ResultMemory::isSame(const WorkerProcess &worker, const Json &node, const Kept &kept) const {
    const at::Tensor result = tensorOf(worker, node);
    if (kept.copy.defined())
        return sameBits(result, kept.copy);
    return result.is_non_overlapping_and_dense() && node.at("strides") == kept.node.at("strides") &&
           printOf(worker, node) == kept.print;
}

void ResultMemory::watch(const VerificationRound &round, const WorkerProcess &candidate) {
    if (!m_stage.isOpen())
        return;
    watchEarlier(candidate);
    watchAliases(round);
    forget();
    for (const ValueLeaf &leaf : round.candidate) {
        if (!leaf.isTensor())
            m_plain.push_back(leaf.node);
        if (!leaf.isTensor() || !m_stage.isOpen())
            continue;
        watchGuards(round, leaf, candidate);
        Kept kept{leaf.node, leaf.path, round.number, {}, {}};
        const at::Tensor result = tensorOf(candidate, leaf.node);
        if (m_session.isRoomy() || !result.is_non_overlapping_and_dense())
            kept.copy = result.clone();
        else
            kept.print = printOf(candidate, leaf.node);
        m_kept.push_back(std::move(kept));
    }
}

bool ResultMemory::areLast(const std::vector<ValueLeaf> &results, const WorkerProcess &candidate,
                           bool besideState) const {
    size_t next = 0;
    size_t nextPlain = 0;
    for (const ValueLeaf &leaf : results) {
        if (!leaf.isTensor()) {
            if (nextPlain == m_plain.size() || leaf.node != m_plain[nextPlain++])
                return false;
            continue;
        }
        if (besideState && isOfState(leaf.path)) {
            ++next;
            continue;
        }
        if (next == m_kept.size() || describeTensor(leaf.node) != describeTensor(m_kept[next].node) ||
            !isSame(candidate, leaf.node, m_kept[next]))
            return false;
        ++next;
    }
    return !m_kept.empty() && next == m_kept.size();
}

at::Tensor ResultMemory::before(const std::string &path) const {
    for (const Kept &kept : m_kept) {
        if (kept.path == path)
            return kept.copy;
    }
    return {};
}

void ResultMemory::watchEarlier(const WorkerProcess &candidate) {
    for (const Kept &kept : m_kept) {
        if (isSame(candidate, kept.node, kept))
            continue;
        m_stage.settle("wrong",
                       "The call of a later round changed the " + kept.path + " of round " +
                           std::to_string(kept.round) + ", which was still in use.",
                       "Return a tensor of its own from each call; a buffer that is kept from call to call "
                       "may not be a result.");
        return;
    }
}

void ResultMemory::watchAliases(const VerificationRound &round) {
    std::vector<Json> taken;
    for (const ValueLeaf &leaf : round.candidate) {
        if (!leaf.isTensor())
            continue;
        const Json aliases = leaf.node.value("aliases", Json());
        const bool mayAlias = m_session.facts().value("aliasesInputs", false);
        if (aliases.is_string() && !mayAlias)
            m_stage.settle("wrong",
                           "The candidate's " + leaf.path + " shares memory with its " +
                               aliases.get<std::string>() + "; the reference returns new memory.",
                           "Write the result into a tensor of its own.");
        else if (leaf.node.value("copied", false) && !aliases.is_string() && !m_saidCopied) {
            m_saidCopied = true;
            m_stage.doubt("The candidate's " + leaf.path +
                          " does not lie in memory that torch allocated. It was copied to where the judge "
                          "can read it.");
        }
        // The reference's may be views of one buffer: then those of the candidate may, and are compared each.
        const bool mayShare = mayAlias || m_session.facts().value("sharesBuffers", false);
        for (const Json &other : taken) {
            if (!mayShare && shareBytes(other, leaf.node))
                m_stage.settle(
                    "wrong", "The candidate's " + leaf.path + " shares memory with another of its results.",
                    "Return a tensor of its own for each result, or views that lie beside each other.");
        }
        taken.push_back(leaf.node);
    }
}

void ResultMemory::watchGuards(const VerificationRound &round, const ValueLeaf &leaf,
                               const WorkerProcess &candidate) {
    const Json block = leaf.node.value("block", Json());
    if (round.fill < 0 || !block.is_array() || block.size() != 2 || !block[0].is_number_unsigned() ||
        !block[1].is_number_unsigned())
        return;
    const auto [first, end] = extentOf(leaf.node, elementBytes(leaf.node.value("dtype", "")));
    const uint64_t start = block[0].get<uint64_t>();
    const uint64_t bytes = block[1].get<uint64_t>();
    // A view may leave part of its block to others; what is judged is what lies outside of every such view.
    if (first < start + guardBytes || bytes < 2 * guardBytes || end > start + bytes - guardBytes)
        return;
    const std::pair<uint64_t, const char *> guards[] = {{start, "before"},
                                                        {start + bytes - guardBytes, "after"}};
    for (const auto &[offset, side] : guards) {
        const at::Tensor guard = tensorOf(
            candidate, {{"dtype", "uint8"}, {"sizes", {guardBytes}}, {"strides", {1}}, {"offset", offset}});
        const auto damaged = guard.ne(round.fill).sum().item<int64_t>();
        if (damaged == 0)
            continue;
        m_stage.reject("writes-outside",
                       std::to_string(damaged) + " of " + std::to_string(guardBytes) + " bytes " + side +
                           " the memory of " + leaf.path + " were overwritten in round " +
                           std::to_string(round.number),
                       "The candidate writes outside of its result: " + std::to_string(damaged) + " bytes " +
                           side + " the memory of " + leaf.path + " were overwritten.",
                       "Guard the last blocks of the grid by the tensor's size; compute-sanitizer names the "
                       "line.");
        return;
    }
}

} // namespace warpwright
