// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <QString>

#include <functional>
#include <vector>

namespace warpwright {

/// What a kernel's formula calls its Load and Index steps, by step: as their buffer is called, and `counter`.
/// Empty: not one of these, or not printed. Of one tensor that is read at two indices, "x" and "x'", of more
/// "x_1", "x_2", and so on; loop counters likewise. Those that depend on outer loops alone come first, so
/// that counters and reads correspond. `isLeftOut`: the steps whose operands the formula does not print.
[[nodiscard]] std::vector<QString> formulaReads(const Kernel &kernel,
                                                const std::function<QString(int buffer)> &nameOf,
                                                const QString &counter, const std::vector<bool> &isLeftOut);

} // namespace warpwright
