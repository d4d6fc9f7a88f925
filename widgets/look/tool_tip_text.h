// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// Plain text as a tooltip that wraps: Qt wraps rich text only, and would take a kernel's «<i>» for a tag.
[[nodiscard]] inline QString toolTipText(const QString &plain) {
    if (plain.isEmpty())
        return {};
    return QStringLiteral("<qt>") + plain.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>")) +
           QStringLiteral("</qt>");
}

} // namespace warpwright
