// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QStringList>

namespace warpwright {

/// `text` broken into rows no wider than `width` px, at words where there are any; at most `mostRows`, the
/// last of which then ends in «…». Line ends in it count as blanks.
[[nodiscard]] QStringList wrapText(const QString &text, const QFont &font, int width, int mostRows);

} // namespace warpwright
