// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/model_profile.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace warpwright {

/// What `wright models` was asked for, besides --json.
struct ModelsLine {
    enum class Act { List, Try, Add, Remove, Key };

    Act act = Act::List;
    QString name;
    ModelProfile profile;    ///< Add
    bool removesKey = false; ///< Key

    bool operator==(const ModelsLine &) const = default;
};

/// The words of that command as CLI11 fills them in; they outlive the parsing.
class ModelsWords {
public:
    CLI::App *addTo(CLI::App &app, bool &asksJson);
    /// `why`: set where the words cannot be understood.
    [[nodiscard]] ModelsLine line(QString &why) const;

private:
    void addAdd(CLI::App &models);

    CLI::App *m_try = nullptr;
    CLI::App *m_add = nullptr;
    CLI::App *m_remove = nullptr;
    CLI::App *m_key = nullptr;
    std::string m_name;
    std::string m_like;
    std::string m_dialect;
    std::string m_url;
    std::string m_model;
    std::string m_keyVariable;
    std::string m_effort;
    std::string m_currency = "USD";
    std::vector<std::string> m_headers;
    qint64 m_contextTokens = 0;
    qint64 m_answerTokens = 0;
    std::optional<double> m_temperature;
    ModelPrices m_prices;
    bool m_isInKeyring = false;
    bool m_removesKey = false;
};

} // namespace warpwright
