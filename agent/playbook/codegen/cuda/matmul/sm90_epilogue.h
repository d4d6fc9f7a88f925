// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/cuda/matmul/sm90_epilogue_common.h"

namespace warpwright {

/// The tail of a product of ours: in packs where the result's rows allow it, else element by element.
[[nodiscard]] Sm90Epilogue sm90Epilogue(const Kernel &kernel, const KernelNames &names);

} // namespace warpwright
