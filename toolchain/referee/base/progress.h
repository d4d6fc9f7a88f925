// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

namespace warpwright {

/// One step of a stage: which, and how many there are. The sink adds the clock.
using ProgressSink =
    std::function<void(const std::string &stage, const std::string &step, int index, int count)>;

} // namespace warpwright
