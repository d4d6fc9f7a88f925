// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringView>

namespace warpwright {

/// A column as an editor counts it, in characters, of one in UTF-16's units, as QString and language servers
/// count: a letter like 😀 has two of them. Both from 1; no further than the end of `line`.
[[nodiscard]] int characterColumn(QStringView line, qsizetype column);

} // namespace warpwright
