// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/language/language_values.h"

namespace warpwright {

/// One replacement that makes `after` of `before`: from where they begin to differ to where they are the same
/// again. A server hears a letter that was typed, and not 5,000 lines each time. None: a line of either ends
/// in a way that we do not count, and only the whole text says it.
[[nodiscard]] std::optional<TextReplacement> deltaOf(const QString &before, const QString &after);

} // namespace warpwright
