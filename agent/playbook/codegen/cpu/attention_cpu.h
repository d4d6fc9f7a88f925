// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"

namespace warpwright {

/// The CPU twin of attention: a query's scores stay in the cache. `kernel`: attention.
[[nodiscard]] QString attentionCpuText(const KernelSource &source);

} // namespace warpwright
