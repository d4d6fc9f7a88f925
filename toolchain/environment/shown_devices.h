// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/environment/gpu_device.h"
#include "toolchain/process/child_process.h"

#include <vector>

namespace warpwright {

// Which of a machine's devices a program with this environment sees as cuda:0, cuda:1, …: what the management
// library lists is another order (that of the bus), and it knows nothing of CUDA_VISIBLE_DEVICES.

/// By the rules that CUDA documents: numbers, or UUIDs and beginnings of them that are unique. The list ends
/// at the first entry that names none; one that comes twice leaves nothing. Numbers are those of the bus's
/// order.
[[nodiscard]] std::vector<GpuDevice> visibleDevices(const std::vector<GpuDevice> &all,
                                                    const QString &cudaVisibleDevices);

/// Whether only the driver can tell: there are several, or slices of one (MIG).
[[nodiscard]] bool needsDriver(const std::vector<GpuDevice> &all);

/// Asks it with resources/list_devices.py, in this environment. 0.1 s to 2 s.
[[nodiscard]] ProcessRequest driverQuestion(const QString &interpreter, const QString &resources,
                                            const QProcessEnvironment &environment,
                                            const std::vector<GpuDevice> &all);

/// The driver's answer, with what the management library said of the same cards.
[[nodiscard]] Result<std::vector<GpuDevice>> readDriverAnswer(const QByteArray &json,
                                                              const std::vector<GpuDevice> &all);

/// Why none of those that are there is shown.
[[nodiscard]] QString whyNoneIsShown(const QString &cudaVisibleDevices, std::size_t count);

} // namespace warpwright
