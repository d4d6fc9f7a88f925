// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QAction;

namespace warpwright {

/// Gives actions the words by which people look for them who do not know our names (property "otherNames").
/// Those that an action has already stay.
void sayOtherNames(const QList<QAction *> &actions);

} // namespace warpwright
