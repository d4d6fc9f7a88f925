// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QWidget;

namespace warpwright {

/// What Tab reaches in a window, in the order in which a page is read: rows from above, in a row from the
/// left, all of a part before the next part. Qt's own order is that of construction, and whatever is made
/// later (rows, cards, bars) comes last in it. `also`: has its place even if Tab does not reach it, or if it
/// was just hidden or disabled.
[[nodiscard]] QList<QWidget *> tabStops(const QWidget &window, const QWidget *also = nullptr);

/// The focus goes to the next stop, or back, around the ends; what scrolls brings it into view. False: there
/// is no other.
bool focusNextStop(QWidget &window, bool isForward);

} // namespace warpwright
