// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace warpwright {

/// A part of a line, in QString's units.
struct TextSpan {
    int start = 0;
    int length = 0;

    bool operator==(const TextSpan &) const = default;
};

/// One row of a side-by-side view, which is made of lines and then marked word by word. A number of 0: that
/// side has no line here.
struct ComparedRow {
    enum class Kind { Same, Changed, Removed, Added };

    Kind kind = Kind::Same;
    int leftNumber = 0; ///< from 1
    int rightNumber = 0;
    QString left; ///< without the line's end
    QString right;
    std::vector<TextSpan> leftChanges; ///< of a Changed row: the words that are not on the other side
    std::vector<TextSpan> rightChanges;

    bool operator==(const ComparedRow &) const = default;
};

} // namespace warpwright
