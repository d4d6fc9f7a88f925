// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/element_type.h"
#include "agent/playbook/ir/structured_op.h"

#include <QString>

namespace warpwright {

/// How a block of a depthwise convolution loads its input tile into shared memory. `compute`: the type of an
/// element there. Placeholders of the surrounding text remain in it.
[[nodiscard]] QString depthwiseLoads(const ConvolutionSizes &sizes, ElementType type, const QString &compute);

/// Indents each line by `depth` more, except preprocessor lines; without a last line break.
[[nodiscard]] QString indentedText(const QString &text, int depth);

} // namespace warpwright
