// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace warpwright {

/// One line of standard input. On a terminal it is asked for with `prompt`, on standard error, and not shown;
/// Ctrl-C gives the terminal back as it was. Empty: stopped.
[[nodiscard]] std::optional<QString> readHiddenLine(const QString &prompt);

} // namespace warpwright
