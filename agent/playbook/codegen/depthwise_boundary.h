// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/structured_op.h"

#include <QString>

/// Boundary modes of depthwise convolutions as text: reflect, replicate, circular.
namespace warpwright {

/// The functions that map an index beyond the image to one inside; none where all boundaries are zeros.
/// `integer`: the type of an index. `isDevice`: for a GPU.
[[nodiscard]] QString boundaryFunctions(const ConvolutionSizes &sizes, const QString &integer, bool isDevice);

/// An index along depth, height or width (`which` 0, 1, 2), mapped into the image, unless that boundary is
/// zeros; one far outside may still be outside.
[[nodiscard]] QString boundedIndex(const ConvolutionSizes &sizes, std::size_t which, const QString &index);

/// Whether the width has a boundary mode other than zeros.
[[nodiscard]] bool hasWidthBoundary(const ConvolutionSizes &sizes);

/// For a header: "mirrored beyond its borders"; empty where all boundaries are zeros.
[[nodiscard]] QString boundaryDescription(const ConvolutionSizes &sizes);

} // namespace warpwright
