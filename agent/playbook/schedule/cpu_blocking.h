// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <QString>

namespace warpwright {

/// Splits a pointwise kernel's long loop into rows that fit the cache, where results are buffered before
/// non-temporal stores write them. Other kernels are returned unchanged.
[[nodiscard]] Kernel withRowBlocking(Kernel kernel);

/// Whether the work takes longer than waking threads for it.
[[nodiscard]] bool isWorthThreads(const Kernel &kernel);
/// The text of a library kernel with its work on one thread.
[[nodiscard]] QString withoutThreads(QString text);

/// The text of the function that writes a row past the cache.
[[nodiscard]] QString streamFunction();

} // namespace warpwright
