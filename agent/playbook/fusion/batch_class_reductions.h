// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Long sums for each of a few classes that have elements in common, as labels or what a softmax over the
/// classes comes to: a thread forms the sums of all classes side by side, so what they share is read once.
/// Rows over the classes themselves, a softmax's largest element and sum, are worked out where their elements
/// are summed up.
void batchClassReductions(Program &program);

} // namespace warpwright
