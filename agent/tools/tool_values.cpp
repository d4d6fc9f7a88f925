// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/tool_values.h"

namespace warpwright {

QString toolOutcomeName(ToolAnswer::Outcome outcome) {
    switch (outcome) {
    case ToolAnswer::Outcome::Ok:
        return QStringLiteral("ok");
    case ToolAnswer::Outcome::Failed:
        return QStringLiteral("failed");
    case ToolAnswer::Outcome::Denied:
        return QStringLiteral("denied");
    case ToolAnswer::Outcome::Cancelled:
        break;
    }
    return QStringLiteral("cancelled");
}

} // namespace warpwright
