// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/task/task_session.h"

namespace warpwright {

/// The least time of a call at what LibTorch's own operations reached on this device: to move the task's
/// bytes and to do its work. Not a law.
double speedOfLightMicroseconds(TaskSession &session);

/// The time to read the inputs and write the outputs once at the measured bandwidth.
double fastestMoveMicroseconds(TaskSession &session);

} // namespace warpwright
