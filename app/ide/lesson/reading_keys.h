// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAbstractScrollArea;
class QWidget;

namespace warpwright {

/// While `button` has the focus the keys that scroll (arrows up and down, pages) go to `page`: a page that is
/// read may have its first button ready for Enter.
void scrollByKeysOf(QWidget *button, QAbstractScrollArea &page);

} // namespace warpwright
