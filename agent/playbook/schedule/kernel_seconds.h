// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/schedule/knobs.h"

/// Predicted seconds of one launch on the kernel's device, with memory at `bandwidth` bytes a second.
/// Predictions order moves; nobody is shown one as a measurement.
namespace warpwright {

/// Of loops: bytes, and how well the loads are coalesced.
[[nodiscard]] double loopSeconds(const Kernel &kernel, const Knobs &knobs, double bandwidth);
[[nodiscard]] double transposeTileSeconds(const Kernel &kernel, const Knobs &knobs, double bandwidth);

[[nodiscard]] double attentionSeconds(const Kernel &kernel, const Knobs &knobs, double bandwidth);
[[nodiscard]] double sortSeconds(const Kernel &kernel, const Knobs &knobs, double bandwidth);
[[nodiscard]] double cellMatmulLaunchSeconds(const Kernel &kernel, const Knobs &knobs, double bandwidth);
[[nodiscard]] double sm90MatmulSeconds(const Kernel &kernel, const Knobs &knobs, double bandwidth);
[[nodiscard]] double sm90ConvolutionLaunchSeconds(const Kernel &kernel, const Knobs &knobs, double bandwidth);
[[nodiscard]] double depthwiseSeconds(const Kernel &kernel, const Knobs &knobs, double bandwidth);
/// At the rate of a library, whose layout conversions count.
[[nodiscard]] double librarySeconds(const Kernel &kernel, const Knobs &knobs, double bandwidth);
/// Whether a library's multiplications take longer than the least memory traffic, and than a launch.
[[nodiscard]] bool isComputeBoundInLibrary(const Kernel &kernel, const Knobs &knobs);

/// Whether the library converts a convolution's operands into another layout for tensor cores, and the result
/// back: NCHW tensors.
[[nodiscard]] bool isReorderedByLibrary(const Kernel &kernel, const Knobs &knobs);
/// What all stores write, in bytes.
[[nodiscard]] double storedBytes(const Kernel &kernel);

} // namespace warpwright
