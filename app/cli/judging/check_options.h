// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/options/shared_options.h"
#include "toolchain/base/stages.h"

#include <optional>

namespace warpwright {

/// What `wright check` was asked for.
struct CheckOptions {
    QString path = QStringLiteral("."); ///< a workspace, or a lone model.py
    MachineOptions machine;
    std::optional<Tier> tier; ///< empty: not said
    LastStage lastStage = LastStage::Profile;
    bool sweepsConfigs = false;
    bool asksJson = false;

    void addTo(CLI::App &app);
    [[nodiscard]] QString understand();

    std::optional<QString> tierWords; ///< as they were typed
    QString stageWords = QStringLiteral("compile,verify,profile");
};

} // namespace warpwright
