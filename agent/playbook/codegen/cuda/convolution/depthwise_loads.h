// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/element_type.h"
#include "agent/playbook/ir/structured_op.h"

#include <QString>

namespace warpwright {

/// How a block of a depthwise convolution fetches its part of the image into shared memory. `compute`: the
/// type of an element there. Marks of the text around it are left in it.
[[nodiscard]] QString depthwiseLoads(const ConvolutionSizes &sizes, ElementType type, const QString &compute);

/// Each line `depth` places further in, but for what is the preprocessor's; without a last line break.
[[nodiscard]] QString indentedText(const QString &text, int depth);

} // namespace warpwright
