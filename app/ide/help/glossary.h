// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace warpwright {

/// A word that the window uses in a sense of its own, in the words of somebody who writes CUDA kernels.
struct GlossaryEntry {
    QString word;
    QString otherNames; ///< by which it is found, too: what the field calls it
    QString meaning;

    bool operator==(const GlossaryEntry &) const = default;
};

/// By their letters.
[[nodiscard]] const std::vector<GlossaryEntry> &glossary();
/// That have each of these words in their name, their other names or their meaning; none: all.
[[nodiscard]] std::vector<GlossaryEntry> explained(const QStringList &words);

} // namespace warpwright
