// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation_run.h"
#include "toolchain/result.h"

namespace warpwright {

/// What the playbook works with on this machine.
struct PlaybookSetup {
    QString interpreter;        ///< Python with torch
    QString resources;          ///< DataFolders::resources
    bool hasCudaDevice = false; ///< what "auto" means before a check has said which device it took

    bool operator==(const PlaybookSetup &) const = default;
};

/// The same interpreter that a check with this request takes. Asks the driver for devices: for the pool. An
/// error where no interpreter is found.
[[nodiscard]] Result<PlaybookSetup> playbookSetup(const EvaluationRequest &request);

} // namespace warpwright
