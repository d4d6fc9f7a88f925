// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/options/shared_options.h"

namespace warpwright {

/// What `wright counters` was asked for.
struct CountersOptions {
    QString path = QStringLiteral(".");
    QString kernel;
    QString set = QStringLiteral("basic");
    QStringList sections;
    QString import; ///< a .ncu-rep instead of collecting; empty: none
    MachineOptions machine;
    int iteration = 0;           ///< 0: the text on disk
    int against = 0;             ///< an iteration to compare with; 0: none
    int launch = 0;              ///< only this one, from 1; 0: all
    int mostLaunches = 24;       ///< 0: all
    bool attachesImport = false; ///< a workspace was named, too: it is kept there
    bool wantsBaselines = false; ///< --baselines
    bool wantsStored = false;    ///< --stored: what was collected before, nothing is run
    bool wantsRaw = false;
    bool asksJson = false;

    void addTo(CLI::App &app);
    [[nodiscard]] QString understand();

    /// Options that were said, by name, of those that say nothing to a report that is read or kept.
    struct Said {
        bool folder = false;
        bool iteration = false;
        bool import = false;
        QStringList ofCollecting;
        QStringList ofParts;
    } said;
};

} // namespace warpwright
