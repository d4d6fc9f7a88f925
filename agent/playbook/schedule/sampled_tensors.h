// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

#include <optional>
#include <set>
#include <vector>

/// Tensors that are read at positions which other tensors hold: sampled along a flow, by a grid, by offsets.
/// In NCHW each channel's element at a position costs a memory sector; in NHWC channels share sectors, and
/// one load brings several.
namespace warpwright {

/// A tensor that a kernel samples.
struct SampledTensor {
    int buffer = -1;
    std::size_t channels = 0; ///< the dimension whose elements are all read at one position
    std::size_t loop = 0;     ///< of the kernel, over these

    bool operator==(const SampledTensor &) const = default;
};

/// Bytes of sectors that a launch reads in vain around samples of NCHW tensors that are worth an NHWC copy.
/// Also of a kernel that is not finished.
[[nodiscard]] double scatteredBytes(const Kernel &kernel);

/// A kernel's NCHW tensors at positions from memory that differ between neighbours, and that are worth a pass
/// for an NHWC copy: it saves clearly more bytes of sectors than it moves. `buffers`: the program's, by
/// number.
[[nodiscard]] std::vector<SampledTensor> sampledTensors(const Kernel &kernel,
                                                        const std::vector<ProgramBuffer> &buffers);

/// The tensor's dimensions in order, except `innermost`, which comes last; dense.
[[nodiscard]] TensorLayout layoutWithInnermost(const Shape &shape, std::size_t innermost);

/// The layout of a result of this shape at `map` where the kernel samples such tensors: their channels
/// innermost, else row-major.
[[nodiscard]] TensorLayout layoutAsSampled(const Kernel &kernel, const std::vector<ProgramBuffer> &buffers,
                                           const Shape &shape, const AffineMap &map);

/// Whether a finished kernel that reads copies in these buffers computes each index once for several
/// elements.
[[nodiscard]] bool sharesIndices(const Kernel &kernel, const std::set<int> &buffers);

} // namespace warpwright
