// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Long reductions for each of a few classes that share elements, such as labels or the probabilities of a
/// softmax over classes: one thread accumulates the sums of all classes, so shared elements are read once.
/// Reductions over the classes themselves, a softmax's maximum and sum, are recomputed where their elements
/// are summed.
void batchClassReductions(Program &program);

} // namespace warpwright
