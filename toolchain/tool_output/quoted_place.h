// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// Where in a line a diagnostic means: from a column to behind its last character, both from 1, in
/// characters; `to` is 0 where only the beginning is known.
struct QuotedPlace {
    int from = 0;
    int to = 0;

    bool operator==(const QuotedPlace &) const = default;
};

/// nvcc counts columns in preprocessed text, so a macro before the place moves it. The name that the message
/// quotes is looked for in the line as it is written, and the one nearest to `column` is meant; without one
/// the place is as it was told.
[[nodiscard]] QuotedPlace quotedPlace(const QString &message, const QString &line, int column);

} // namespace warpwright
