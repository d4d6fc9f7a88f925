// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/acp/acp_profile.h"

#include <QString>

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace warpwright {

/// What `wright agents` was asked for, besides --json.
struct AgentsLine {
    enum class Act { List, Add, Remove, Try };

    Act act = Act::List;
    QString name;
    AcpProfile profile; ///< Add

    bool operator==(const AgentsLine &) const = default;
};

/// The words of that command as CLI11 fills them in; they outlive the parsing.
class AgentsWords {
public:
    CLI::App *addTo(CLI::App &app, bool &asksJson);
    /// `why`: set where the words cannot be understood.
    [[nodiscard]] AgentsLine line(QString &why) const;

private:
    CLI::App *m_add = nullptr;
    CLI::App *m_remove = nullptr;
    CLI::App *m_try = nullptr;
    std::string m_name;
    std::vector<std::string> m_command;
    std::vector<std::string> m_variables;
};

} // namespace warpwright
