// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"
#include "toolchain/base/result.h"
#include "toolchain/compile/compile_plan.h"
#include "toolchain/environment/toolchain_probe.h"

#include <QString>

#include <optional>

namespace warpwright {

/// The device that an evaluation runs on.
struct DeviceChoice {
    TargetKind kind = TargetKind::Cpu;
    std::optional<GpuDevice> gpu; ///< of a Cuda choice
    QString doubt;                ///< why `auto` passed over a GPU that is there; empty otherwise

    /// "cpu" or "cuda:N", as torch says it.
    [[nodiscard]] QString torchName() const;
    bool operator==(const DeviceChoice &) const = default;
};

/// `asked`: "auto" (or empty), "cpu" or "cuda:N". Auto is cuda:0 where a driver, a device and a torch with
/// CUDA exist, else cpu. A CUDA device that is asked for by name and cannot be used is an error with its
/// reason.
[[nodiscard]] Result<DeviceChoice> chooseDevice(const QString &asked, const Toolchain &toolchain);

/// Whether the word is one that --device takes.
[[nodiscard]] bool isDeviceWord(const QString &word);

/// What is in the document before the judge has told more: {kind, name, index, uuid, architecture, ...}.
[[nodiscard]] OrderedJson deviceSection(const DeviceChoice &device, const QString &architecture);

/// "AMD EPYC 9354 32-Core Processor", of /proc/cpuinfo.
[[nodiscard]] QString processorName();

} // namespace warpwright
