// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/model_profile.h"

#include <QStringList>

#include <optional>

namespace CLI {
class App;
}

namespace warpwright {

struct KnownEndpoint;

/// What `wright models` was asked for.
struct ModelsOptions {
    enum class Act { List, Try, Add, Remove, Key };

    Act act = Act::List;
    QString name;
    ModelProfile profile;    ///< Add
    bool removesKey = false; ///< Key
    bool asksJson = false;

    void addTo(CLI::App &app);
    [[nodiscard]] QString understand();

    /// Of Add, as it was typed; what is empty or 0 was not said.
    struct Typed {
        QString like;
        QString dialect;
        QString url;
        QString model;
        QString keyVariable;
        QString effort;
        QString currency = QStringLiteral("USD");
        QStringList headers;
        qint64 contextTokens = 0;
        qint64 answerTokens = 0;
        std::optional<double> temperature;
        ModelPrices prices;
        bool isInKeyring = false;
    } typed;

private:
    void addAdd(CLI::App &app);
    void addProfile(CLI::App &app);
    [[nodiscard]] QString takeKnown(const KnownEndpoint &known);
    void takeTyped();
    [[nodiscard]] QString takeHeaders();
};

} // namespace warpwright
