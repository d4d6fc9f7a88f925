// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

#include <optional>
#include <set>
#include <vector>

/// Images that are read at places which other tensors hold: sampled along a flow, by a grid, by offsets. By
/// rows each channel's element at a place costs a sector of memory of its own; with channels last they share
/// sectors, and one load brings several.
namespace warpwright {

/// An image that a kernel samples.
struct SampledTensor {
    int buffer = -1;
    std::size_t channels = 0; ///< the dimension of the tensor whose elements are all read at a place
    std::size_t loop = 0;     ///< of the kernel, over these

    bool operator==(const SampledTensor &) const = default;
};

/// Bytes of sectors that a launch reads in vain, around what it finds in images by rows that are worth a copy
/// with channels last. Of a kernel that is finished or not.
[[nodiscard]] double scatteredBytes(const Kernel &kernel);

/// Those of a kernel that lie by rows, at places from memory that are elsewhere for each neighbour, and whose
/// copy with channels last is worth a pass over them: it spares clearly more bytes of sectors than it moves.
/// `buffers`: the plan's, by number.
[[nodiscard]] std::vector<SampledTensor> sampledTensors(const Kernel &kernel,
                                                        const std::vector<ProgramBuffer> &buffers);

/// The tensor's dimensions in order, but `innermost`, which comes last; dense.
[[nodiscard]] TensorLayout layoutWithInnermost(const Shape &shape, std::size_t innermost);

/// How a result of this shape at `map` lies where the kernel's images are sampled so: the dimension that
/// follows their channels innermost, else by rows.
[[nodiscard]] TensorLayout layoutAsSampled(const Kernel &kernel, const std::vector<ProgramBuffer> &buffers,
                                           const Shape &shape, const AffineMap &map);

/// Whether a finished kernel that finds copies in these buffers works out each place once for several
/// elements there.
[[nodiscard]] bool sharesIndices(const Kernel &kernel, const std::set<int> &buffers);

} // namespace warpwright
