// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/acp/acp_profile.h"

#include <QStringList>

namespace CLI {
class App;
}

namespace warpwright {

/// What `wright agents` was asked for.
struct AgentsOptions {
    enum class Act { List, Add, Remove, Try };

    Act act = Act::List;
    QString name;
    AcpProfile profile; ///< Add
    bool asksJson = false;

    void addTo(CLI::App &app);
    [[nodiscard]] QString understand();

    QStringList command; ///< Add: as it was typed, and NAME=VALUE
    QStringList variables;
};

} // namespace warpwright
