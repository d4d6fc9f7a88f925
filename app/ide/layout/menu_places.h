// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAction;

namespace warpwright {

/// The menu inside of its group's menu that an action stands in, so that no menu is taller than a small
/// screen; empty: it stands in the group's own.
[[nodiscard]] QString subMenuOf(const QAction &action);

} // namespace warpwright
