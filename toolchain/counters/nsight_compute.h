// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/environment/cuda_toolkit.h"

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <optional>

namespace warpwright {

/// Nsight Compute's command line, and what lies beside it.
struct NsightCompute {
    QString program;      ///< absolute
    QString root;         ///< folder of the installation, with sections/ and extras/
    QString source;       ///< why this one: "WARPWRIGHT_NCU", "beside nvcc", "PATH", "/opt/nvidia"
    QString pythonModule; ///< folder of its ncu_report; empty: none

    bool operator==(const NsightCompute &) const = default;
};

/// The environment's WARPWRIGHT_NCU, the one beside nvcc, on the PATH, the newest below `systemFolder`. What
/// CUDA puts into bin/ is a script that looks for the installation: that is followed, because a sandbox has
/// to open the place that it ends in. Nothing: none is installed.
[[nodiscard]] std::optional<NsightCompute>
findNsightCompute(const CudaToolkit *cuda, const QProcessEnvironment &environment,
                  const QString &systemFolder = QStringLiteral("/opt/nvidia/nsight-compute"));

/// What brings it, as a sentence.
[[nodiscard]] QString adviceForNsightCompute();

} // namespace warpwright
