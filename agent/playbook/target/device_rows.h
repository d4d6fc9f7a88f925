// SPDX-License-Identifier: GPL-3.0-or-later
// The chips that were measured: resources/playbook/devices, a JSON file each.
#pragma once

#include "agent/playbook/target/device.h"
#include "toolchain/base/result.h"

#include <vector>

namespace warpwright {

/// Within the folder of resources.
[[nodiscard]] QString deviceRowsFolder(const QString &resources);

/// An error says which file it is, what is wrong with it, and what to do.
[[nodiscard]] Result<Device> readDeviceRow(const QString &file);
/// All of a folder, by their files' names. An error where one cannot be read, or there is none.
[[nodiscard]] Result<std::vector<Device>> readDeviceRows(const QString &folder);

} // namespace warpwright
