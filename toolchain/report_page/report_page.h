// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/report_page/report_input.h"

#include <QByteArray>

namespace warpwright {

/// One text of a workspace, and what was tried around it, as one HTML page for people who have neither
/// workspace nor program: no network, nothing beside it, whole without its script, light and dark, printable.
/// Everything in it that others wrote is text, never markup. The same bytes for the same input but for the
/// line that says when it was made. 10,000 iterations make less than 10 MB: what is left out is said.
///
/// `tokens`: the text of resources/look/tokens.json. An error: it has no colours. Up to a second: not for a
/// window's thread.
[[nodiscard]] Result<QByteArray> reportPage(const ReportInput &input, const QByteArray &tokens);

} // namespace warpwright
