// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

namespace warpwright {

struct Device;

/// The chip that a program is tuned for (target/device.h). Its kernels share it. Equal: the same object.
using SharedDevice = std::shared_ptr<const Device>;

} // namespace warpwright
