// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// "0.1.0 (4f3e2d1c0b9a)": what a document says it was made by.
[[nodiscard]] QString programVersion();

/// Every part with its version, one a line: what a report of a fault begins with.
[[nodiscard]] QString versionText(const QString &torch);

} // namespace warpwright
