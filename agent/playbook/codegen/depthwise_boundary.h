// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/structured_op.h"

#include <QString>

/// Texts of depthwise convolutions whose image goes on beyond its borders: mirrored, repeated or around.
namespace warpwright {

/// The functions that say which place of an image stands for one beyond its borders; none where all of that
/// is zeros. `integer`: the type of a place. `isDevice`: for a GPU.
[[nodiscard]] QString boundaryFunctions(const ConvolutionSizes &sizes, const QString &integer, bool isDevice);

/// A place along depth, height or width (`which` 0, 1, 2), as one inside the image, where anything goes on
/// there; one far beyond may still be none.
[[nodiscard]] QString boundedIndex(const ConvolutionSizes &sizes, std::size_t which, const QString &index);

/// Whether the image goes on beside its rows.
[[nodiscard]] bool hasWidthBoundary(const ConvolutionSizes &sizes);

/// For a header: "mirrored beyond its borders"; none where all of that is zeros.
[[nodiscard]] QString boundaryDescription(const ConvolutionSizes &sizes);

} // namespace warpwright
