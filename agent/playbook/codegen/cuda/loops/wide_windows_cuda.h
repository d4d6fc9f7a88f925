// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"
#include "agent/playbook/schedule/kernel_tuning.h"

namespace warpwright {

/// Short rows whose neighbours lie side by side wherever they are read and written: pooling with channels
/// last, or along any dimension but the last. So many of them a thread can take at once, with loads of up to
/// 16 bytes; or as many as it stores with 8 bytes, of windows that go along memory one
/// by one and have elements in common. 1: it is
/// another kernel.
[[nodiscard]] int rowsOfThread(const FusedKernel &kernel);
/// Whether such a thread loads any of its rows' elements one by one.
[[nodiscard]] bool readsRowsSingly(const FusedKernel &kernel);

[[nodiscard]] QString wideWindowsCudaText(const ReferenceGraph &graph, const KernelPlan &plan,
                                          const FusedKernel &kernel, const KernelNames &names,
                                          const KernelTuning &tuning);

} // namespace warpwright
