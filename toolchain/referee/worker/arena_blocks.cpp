// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/worker/arena_blocks.h"

namespace warpwright {

namespace {

// Fresh bytes belong to no stream yet. No CUDA stream handle has this value.
constexpr uint64_t anyStream = ~uint64_t{0};

} // namespace

void ArenaBlocks::insertFree(Blocks::iterator block) {
    m_free[block->second.stream].emplace(block->second.size, block->first);
}

void ArenaBlocks::eraseFree(Blocks::iterator block) {
    m_free[block->second.stream].erase({block->second.size, block->first});
}

bool ArenaBlocks::touch(Blocks::const_iterator block, Blocks::const_iterator next) const {
    const uint64_t border = next->first;
    if (block->first + block->second.size != border)
        return false;
    const auto after = m_pieces.find(border);
    if (!m_areApart || after == m_pieces.end())
        return true;
    return after->second < large && (after == m_pieces.begin() || std::prev(after)->second < large);
}

std::optional<uint64_t> ArenaBlocks::take(uint64_t bytes, uint64_t stream) {
    const uint64_t size = (bytes + granule - 1) / granule * granule;
    for (const uint64_t owner : {stream, anyStream}) {
        auto &free = m_free[owner];
        const auto found = free.lower_bound({size, 0});
        if (found == free.end())
            continue;
        const auto block = m_blocks.find(found->second);
        eraseFree(block);
        const uint64_t rest = block->second.size - size;
        if (rest > 0) {
            const auto tail = m_blocks.emplace(block->first + size, Block{rest, owner, false, false}).first;
            insertFree(tail);
        }
        block->second = Block{size, stream, true, false};
        m_inUse += size;
        m_mostInUse = std::max(m_mostInUse, m_inUse);
        return block->first;
    }
    return std::nullopt;
}

bool ArenaBlocks::giveBack(uint64_t offset) {
    auto block = m_blocks.find(offset);
    if (block == m_blocks.end() || !block->second.used)
        return false;
    m_inUse -= block->second.size;
    if (block->second.shared) {
        m_setAside.insert(offset);
        return true;
    }
    block->second.used = false;
    // Only neighbours of the same stream merge: the other streams' work on theirs may still be under way.
    if (const auto next = std::next(block); next != m_blocks.end() && !next->second.used &&
                                            next->second.stream == block->second.stream &&
                                            touch(block, next)) {
        eraseFree(next);
        block->second.size += next->second.size;
        m_blocks.erase(next);
    }
    if (block != m_blocks.begin()) {
        const auto before = std::prev(block);
        if (!before->second.used && before->second.stream == block->second.stream && touch(before, block)) {
            eraseFree(before);
            before->second.size += block->second.size;
            m_blocks.erase(block);
            block = before;
        }
    }
    insertFree(block);
    return true;
}

void ArenaBlocks::markShared(uint64_t offset) {
    if (const auto block = m_blocks.find(offset); block != m_blocks.end())
        block->second.shared = true;
}

void ArenaBlocks::reclaim() {
    for (const uint64_t offset : m_setAside) {
        Block &block = m_blocks.find(offset)->second;
        block.used = false;
        block.shared = false;
    }
    m_setAside.clear();
    m_free.clear();
    for (auto block = m_blocks.begin(); block != m_blocks.end();) {
        if (block->second.used) {
            ++block;
            continue;
        }
        block->second.stream = anyStream;
        auto next = std::next(block);
        while (next != m_blocks.end() && !next->second.used && touch(block, next)) {
            block->second.size += next->second.size;
            next = m_blocks.erase(next);
        }
        insertFree(block);
        block = next;
    }
}

void ArenaBlocks::grow(Piece piece) {
    m_pieces[piece.offset] = piece.bytes;
    m_bytes = std::max(m_bytes, piece.offset + piece.bytes);
    auto block = m_blocks.emplace(piece.offset, Block{piece.bytes, anyStream, false, false}).first;
    const auto isFree = [](Blocks::iterator other) {
        return !other->second.used && other->second.stream == anyStream;
    };
    if (const auto next = std::next(block); next != m_blocks.end() && isFree(next) && touch(block, next)) {
        eraseFree(next);
        block->second.size += next->second.size;
        m_blocks.erase(next);
    }
    if (block != m_blocks.begin()) {
        if (const auto before = std::prev(block); isFree(before) && touch(before, block)) {
            eraseFree(before);
            before->second.size += block->second.size;
            m_blocks.erase(block);
            block = before;
        }
    }
    insertFree(block);
}

std::vector<ArenaBlocks::Piece> ArenaBlocks::freeRuns() const {
    std::vector<Piece> runs;
    for (const auto &[offset, block] : m_blocks) {
        if (!block.used)
            runs.push_back({offset, block.size});
    }
    return runs;
}

std::vector<ArenaBlocks::Piece> ArenaBlocks::trim() {
    m_areApart = true;
    reclaim();
    std::vector<Piece> gone;
    for (auto piece = m_pieces.begin(); piece != m_pieces.end();) {
        const auto [offset, bytes] = *piece;
        const auto block = std::prev(m_blocks.upper_bound(offset));
        const uint64_t end = block->first + block->second.size;
        if (block->second.used || end < offset + bytes) {
            ++piece;
            continue;
        }
        eraseFree(block);
        if (end > offset + bytes)
            insertFree(
                m_blocks.emplace(offset + bytes, Block{end - offset - bytes, anyStream, false, false}).first);
        if (block->first < offset) {
            block->second.size = offset - block->first;
            insertFree(block);
        } else {
            m_blocks.erase(block);
        }
        gone.push_back({offset, bytes});
        piece = m_pieces.erase(piece);
    }
    return gone;
}

} // namespace warpwright
