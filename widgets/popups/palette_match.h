// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace warpwright {

/// How well what was typed fits a name, and by which of its letters.
struct PaletteMatch {
    int rank = -1;            ///< less is better; -1: not at all
    std::vector<int> letters; ///< places in the name, ascending

    bool operator==(const PaletteMatch &) const = default;
};

/// Every typed word begins a word of the name, or lies in it; nothing typed fits all. `isFuzzy`: else also
/// by letters in their order, those that begin a word first: «smr» finds «kernels/softmax_rows.cu».
[[nodiscard]] PaletteMatch paletteMatch(const QString &name, const QString &typed, bool isFuzzy = false);

} // namespace warpwright
