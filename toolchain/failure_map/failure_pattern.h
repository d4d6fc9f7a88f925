// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/failure_map/failure_map.h"

namespace warpwright {

/// What the errors of a result have in common: a name, and the evidence in a sentence. Said only where it
/// covers nearly all of what is wrong, alone or with one other that is said, too, so that chance gets none.
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

/// "off-by-one": for documents and tests.
[[nodiscard]] QString patternId(FailurePattern::Kind kind);

/// All that hold, what says most about the cause first. Empty: no pattern.
[[nodiscard]] std::vector<FailurePattern> patternsOf(const OutputFailure &output);

/// Of each wrong result of an evaluation's `verify` a line: "output: every 32nd column. Every 32nd column
/// (31, 63, 95, …): …", or that there is no pattern. Empty: no result has a map.
[[nodiscard]] QStringList patternLines(const OrderedJson &verify);

/// An evaluation's `verify` with the patterns of each wrong result in its `patterns`, as the schema has them.
[[nodiscard]] OrderedJson withPatterns(OrderedJson verify);

/// The two axes along which what is wrong has the most form; the last two where none has. The same twice: the
/// result has one axis.
[[nodiscard]] std::pair<std::size_t, std::size_t> shownAxes(const OutputFailure &output);

} // namespace warpwright
