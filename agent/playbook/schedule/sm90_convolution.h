// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>

namespace warpwright {

/// A convolution of an image with channels last whose result is not what is summed but what a reader has made
/// of it, or lies in another order, which no library does: a kernel of ours, for the matrix units of compute
/// capability 9.0. It is a product of the filters, each a row of taps and channels, and of the image, whose
/// pixels under each tap the copy engine finds. All of its memory has one type. It may take in two of one
/// image, a gate and what goes through it: see otherSumOf().
[[nodiscard]] bool isSm90Convolution(const Kernel &kernel);

/// Whether a kernel of ours can be that, and gains more than it loses: `kernel` is the convolution with the
/// reader's steps and store.
[[nodiscard]] bool canBeSm90Convolution(const Kernel &kernel);

/// An address by the image, the filter, and the place in the image's result as one number.
struct ConvolutionAddress {
    std::int64_t offset = 0;
    std::int64_t image = 0;
    std::int64_t filter = 0;
    std::int64_t position = 0;
};
/// Empty: places do not lie evenly.
[[nodiscard]] std::optional<ConvolutionAddress> convolutionAddress(const Kernel &kernel,
                                                                   const AffineExpr &address);

/// What a thread finishes at once.
enum class ConvolutionStoreWidth {
    Vector4,   ///< neighbouring places, which lie side by side in packs
    Coalesced, ///< a place: those of a warp's lanes lie side by side, and begin anywhere
    Single,    ///< a place: lanes have neighbouring filters
};
[[nodiscard]] ConvolutionStoreWidth convolutionStoreWidth(const Kernel &kernel);

/// What a block has at once: two groups of 128 threads with 64 filters each, above one another or side by
/// side.
struct ConvolutionTile {
    int groupsDown = 2;  ///< 2: of other filters and the same places; 1: of the same filters
    int positions = 256; ///< of a group

    [[nodiscard]] int groupsAcross() const { return 2 / groupsDown; }
    [[nodiscard]] int rows() const { return 64 * groupsDown; } ///< filters, of two convolutions together
    bool operator==(const ConvolutionTile &) const = default;
};
/// With which all multiprocessors are done first.
[[nodiscard]] ConvolutionTile convolutionTile(const Kernel &kernel);

/// The units take 32 bytes of channels at once, a stage has four times that: how many are multiplied of each
/// tap's last ones. In few stages; with many the rest is a small part, and zeros are multiplied.
[[nodiscard]] int lastStageChunks(const Kernel &kernel);

/// What it takes, its launch among it: fitted on an H100.
[[nodiscard]] double sm90ConvolutionSeconds(const Kernel &kernel);

/// How many times as long as a library's kernel without what follows.
[[nodiscard]] double sm90ConvolutionSlowness(const Kernel &kernel);

} // namespace warpwright
