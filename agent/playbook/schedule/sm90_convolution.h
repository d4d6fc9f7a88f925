// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>

namespace warpwright {

/// A convolution of an NHWC tensor whose result is a fused consumer's, or has another layout, which no
/// library does: a kernel of ours, for the tensor cores of compute capability 9.0. It is a GEMM of the
/// filters, each a row of taps and channels, and of the image, whose pixels under each tap TMA loads
/// (im2col). All tensors have one type. It may fuse two convolutions of one image, a gate and what goes
/// through it: see secondSumOf().
[[nodiscard]] bool isSm90Convolution(const Kernel &kernel);

/// Whether that is possible and gains more than it loses: `kernel` is the convolution with the consumer's
/// steps and store.
[[nodiscard]] bool canBeSm90Convolution(const Kernel &kernel);

/// An address by image, filter, and flat position in the image's result.
struct ConvolutionAddress {
    std::int64_t offset = 0;
    std::int64_t image = 0;
    std::int64_t filter = 0;
    std::int64_t position = 0;
};
/// Empty: positions are not evenly spaced.
[[nodiscard]] std::optional<ConvolutionAddress> convolutionAddress(const Kernel &kernel,
                                                                   const AffineExpr &address);

/// What a thread stores at once.
enum class ConvolutionStoreWidth {
    Vector4,   ///< adjacent positions, contiguous and aligned
    Coalesced, ///< a position: those of a warp are contiguous, at any alignment
    Single,    ///< a position: a warp's threads have adjacent filters
};
[[nodiscard]] ConvolutionStoreWidth convolutionStoreWidth(const Kernel &kernel);

/// A block's tile: two warpgroups with 64 filters each, above one another or side by side.
struct ConvolutionTile {
    int groupsDown = 2;  ///< 2: other filters, the same positions; 1: the same filters
    int positions = 256; ///< of a warpgroup

    [[nodiscard]] int groupsAcross() const { return 2 / groupsDown; }
    [[nodiscard]] int rows() const { return 64 * groupsDown; } ///< filters, of two convolutions together
    bool operator==(const ConvolutionTile &) const = default;
};
/// The one with which all SMs are done first.
[[nodiscard]] ConvolutionTile convolutionTile(const Kernel &kernel);

/// A tensor core instruction takes a chunk of 32 bytes of channels, a stage has four: how many are multiplied
/// in a tap's last stage. With many stages that is all of them, of zeros as well.
[[nodiscard]] int lastStageChunks(const Kernel &kernel);

/// Including the launch: fitted on an H100.
[[nodiscard]] double sm90ConvolutionSeconds(const Kernel &kernel);

/// How many times as long as a library's kernel without the epilogue.
[[nodiscard]] double sm90ConvolutionSlowness(const Kernel &kernel);

} // namespace warpwright
