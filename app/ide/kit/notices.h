// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/frame/toasts.h"

namespace warpwright {

/// Something went wrong: stays until it is closed.
[[nodiscard]] Notice troubleNotice(const QString &title, const QString &text);
/// Something to know: goes by itself, unless it has to be read.
[[nodiscard]] Notice newsNotice(const QString &title, const QString &text, bool needsReading = false);

/// The row that a message means by «Settings > Python»; empty: it names none.
[[nodiscard]] QString settingsRowIn(const QString &message);

} // namespace warpwright
