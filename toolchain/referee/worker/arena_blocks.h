// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace warpwright {

/// The bookkeeping of a worker's arena: which bytes of one growing range are free, per stream.
///
/// A freed block is handed out again on the stream that used it, at once: work on one stream is ordered. A
/// block that another stream has touched too (`markShared`) is set aside until `reclaim`, which the caller
/// may call only when the device is idle. Offsets and sizes are multiples of `granule`. Not thread-safe: the
/// caller holds a lock.
class ArenaBlocks {
public:
    static constexpr uint64_t granule = 512;
    /// After the first `trim` a piece of so many bytes stays apart from its neighbours: what lies in it and
    /// beside it would keep all of it.
    static constexpr uint64_t large = uint64_t{256} << 20;

    /// Takes `bytes` (at least 1) for `stream`; nothing when no free block is large enough and the range must
    /// grow.
    std::optional<uint64_t> take(uint64_t bytes, uint64_t stream);

    /// Gives back a block from `take`. Returns false for an offset that is not in use.
    bool giveBack(uint64_t offset);

    void markShared(uint64_t offset);

    /// Frees what was set aside and lets any stream have any free block. Only when the device is idle.
    void reclaim();

    /// A part of the range that has memory of its own, as it came.
    struct Piece {
        uint64_t offset;
        uint64_t bytes;
        bool operator==(const Piece &) const = default;
    };

    /// Adds a piece at `offset`, where there is none, free for any stream.
    void grow(Piece piece);
    /// The same, at the end of the range.
    void grow(uint64_t bytes) { grow({m_bytes, bytes}); }

    /// Reclaims, and takes out the pieces in which nothing is used: their memory may go. Only when the device
    /// is idle.
    std::vector<Piece> trim();
    /// What is free, in order.
    std::vector<Piece> freeRuns() const;

    uint64_t bytes() const { return m_bytes; } ///< up to the end of the last piece that there ever was
    uint64_t bytesInUse() const { return m_inUse; }
    uint64_t mostInUse() const { return m_mostInUse; } ///< since the last time that it was forgotten
    void forgetMost() { m_mostInUse = m_inUse; }

private:
    struct Block {
        uint64_t size;
        uint64_t stream;
        bool used;
        bool shared;
    };
    using Blocks = std::map<uint64_t, Block>;

    void insertFree(Blocks::iterator block);
    void eraseFree(Blocks::iterator block);
    /// Whether the one begins where the other ends: between them a piece may be missing.
    [[nodiscard]] bool touch(Blocks::const_iterator block, Blocks::const_iterator next) const;

    Blocks m_blocks;
    std::map<uint64_t, std::set<std::pair<uint64_t, uint64_t>>> m_free; // stream -> (size, offset)
    std::set<uint64_t> m_setAside;
    std::map<uint64_t, uint64_t> m_pieces; // offset -> bytes
    bool m_areApart = false;
    uint64_t m_bytes = 0;
    uint64_t m_inUse = 0;
    uint64_t m_mostInUse = 0;
};

} // namespace warpwright
