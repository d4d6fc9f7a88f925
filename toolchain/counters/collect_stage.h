// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/data_folders.h"
#include "toolchain/base/json.h"
#include "toolchain/compile/device_choice.h"
#include "toolchain/counters/collect_plan.h"
#include "toolchain/counters/report_reader.h"
#include "toolchain/environment/toolchain_probe.h"

namespace warpwright {

/// What an evaluation knows when counters of its candidate are collected. References: it lives only for the
/// call.
struct CollectNeeds {
    const DeviceChoice &device;
    const Toolchain &toolchain; ///< with a Python
    const QString &modelFile;
    const QString &runFolder;
    const QString &refereeSources; ///< the script lies there
    const QString &scratch;        ///< of the evaluation
    const QProcessEnvironment &environment;
};

/// Why counters cannot be collected, before anything is compiled or opened; an empty `why`: they can.
/// Permissions are known only to the driver, and when it is asked.
[[nodiscard]] CollectRefusal whyNotCollectable(const DeviceChoice &device, const Toolchain &toolchain,
                                               const QProcessEnvironment &environment,
                                               const QString &sandboxProgram);

/// `exported`: the judge's answer to `export`. Makes the folder that profiler and candidate may write to.
[[nodiscard]] Result<CollectPlan> makeCollectPlan(const CollectNeeds &needs, const CollectRequest &asked,
                                                  const QString &sandboxProgram, const QString &exportFolder,
                                                  const Json &exported);

/// What reports are read with here; `report` and the scratch folder are the caller's. `python`: one that was
/// named for this; it needs no torch. Then that of the toolchain, and the environment of Warpwright.
[[nodiscard]] ReportReading reportReading(const Toolchain &toolchain, const QString &python,
                                          const DataFolders &folders, const QProcessEnvironment &environment);

} // namespace warpwright
