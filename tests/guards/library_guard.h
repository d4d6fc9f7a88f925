// SPDX-License-Identifier: GPL-3.0-or-later
// Says which libraries of a window a terminal program would load.
#pragma once

#include <QString>
#include <QStringList>

namespace warpwright {

/// `lddText`: what ldd prints for the program. Names such as "libQt6Widgets.so.6".
QStringList windowLibraries(const QString &lddText);

} // namespace warpwright
