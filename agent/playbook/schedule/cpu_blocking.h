// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <QString>

namespace warpwright {

/// A pointwise kernel has no rows by nature: a long loop is cut into rows that fit the cache, where their
/// results wait before they are written past it. Others come back as they are.
[[nodiscard]] Kernel withRowBlocking(Kernel kernel);

/// Work enough that waking threads for it does not take longer than doing it.
[[nodiscard]] bool isWorthThreads(const Kernel &kernel);
/// A library's kernel for one thread: the text of one that shares its work.
[[nodiscard]] QString withoutThreads(QString text);

/// The function by which a row is written past the cache, as text.
[[nodiscard]] QString streamFunction();

} // namespace warpwright
