// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"
#include "agent/playbook/schedule/knobs.h"

namespace warpwright {

[[nodiscard]] QString slidingWindowCudaText(const KernelSource &source);

} // namespace warpwright
