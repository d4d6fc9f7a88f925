// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of measured chips: resources/playbook/devices, a JSON file each.
#pragma once

#include "agent/playbook/ir/shared_device.h"
#include "agent/playbook/target/device.h"
#include "toolchain/base/result.h"

#include <vector>

namespace warpwright {

/// Within the folder of resources.
[[nodiscard]] QString deviceRowsFolder(const QString &resources);

/// An error names the file, what is wrong with it, and what to do.
[[nodiscard]] Result<Device> readDeviceRow(const QString &file);
/// All rows of a folder, sorted by file name. An error if one cannot be read, or there is none.
[[nodiscard]] Result<std::vector<SharedDevice>> readDeviceRows(const QString &folder);

} // namespace warpwright
