// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstddef>
#include <vector>

namespace warpwright {

/// What the errors of a result have in common: a name, and the evidence in a sentence. Said only where it
/// covers nearly all of what is wrong, alone or with one other that is said, too, so that chance gets none.
/// Apart from those who look for patterns, for each kind is looked for in a file of its own.
struct FailurePattern {
    enum class Kind {
        Stale,      ///< from the call before
        Transposed, ///< two dimensions exchanged
        OffByOne,   ///< one index aside
        AllZero,    ///< nothing but zeros
        NanBlock,   ///< NaN in one block, or everywhere
        LastOfTile, ///< what lies behind whole tiles, or the last of each
        EveryNth,
        OneBatch,    ///< one index of the first dimension
        Block,       ///< some other block of indices
        TileBorders, ///< lines that cross, at equal steps
        Scaled,      ///< one factor, or the other sign
        Offset,      ///< one addend
        Single,      ///< one element alone
    };
    /// Where a picture is broken: the first and the last index of what the pattern speaks of.
    struct Break {
        std::size_t axis = 0;
        qint64 first = 0, last = 0;

        bool operator==(const Break &) const = default;
    };
    Kind kind = Kind::Block;
    QString name;     ///< "last rows of a tile", "every 32nd column"
    QString sentence; ///< with numbers
    std::vector<Break> breaks;

    bool operator==(const FailurePattern &) const = default;
};

} // namespace warpwright
