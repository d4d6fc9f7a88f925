// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/compile/compile_plan.h"

namespace warpwright {

/// What of a plan has to be compiled to look at its kernels: the .cu files, by the same commands and under
/// the same keys, so that what a check has compiled is not compiled again; nothing is linked. With `withPtx`
/// each has a second step that ends at PTX (its text is the «object»), also in the cache. The build folder is
/// another than the plan's.
[[nodiscard]] CompilePlan inspectionPlan(const CompilePlan &plan, bool withPtx);

/// Whether a step of such a plan ends at PTX.
[[nodiscard]] bool isPtxStep(const CompileStep &step);

} // namespace warpwright
