// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

/// What of a kernel is left to a library: values.
namespace warpwright {

enum class StructuredOp {
    None,          ///< nothing: all of it is text of ours
    Matmul,        ///< a matrix product: cuBLASLt, BLAS
    Convolution,   ///< cuDNN, or im2col and BLAS
    Attention,     ///< two products and the softmax between them: a kernel of ours on the matrix units
    ScatteredRows, ///< rows that go where others say, or are added there: a kernel of ours
    SortedRows,    ///< the elements of each row in order, and where they were: a kernel of ours
};

enum class ScatterKind {
    Put,
    Add,
    Maximum,
    Minimum
}; ///< of several put at one place one stays, whichever that is

/// Rows that go to places which lie in memory: the rows are leaf 0, or, where the kernel has no anchor, what
/// it stores.
struct ScatterSizes {
    std::int64_t count = 0;   ///< of rows that go somewhere
    std::int64_t rows = 0;    ///< of the result
    std::int64_t columns = 0; ///< of both
    ScatterKind kind = ScatterKind::Add;
    int positions = 1;          ///< leaf
    int base = -1;              ///< leaf: what is there before; -1: zeros
    bool isInitialized = false; ///< or a kernel before has written that to the result

    [[nodiscard]] bool isEmpty() const { return count == 0; }

    bool operator==(const ScatterSizes &) const = default;
};

/// Rows whose elements are put in order: a kernel's last loop is over a row as it is read, and its stores are
/// over the first ones in order. The step of each store is an element before that.
struct SortSizes {
    std::int64_t kept = 0; ///< so many of a row in order are stored
    int values = -1;       ///< store: the elements; -1: nobody reads them
    int positions = -1;    ///< store: where in the row each was
    bool isDescending = false;
    bool isStable = false; ///< equal elements stay in the order in which they were

    /// How often two elements of a row of so many are compared, by a network whose every step halves a
    /// distance.
    [[nodiscard]] static double comparisons(std::int64_t columns);
    bool operator==(const SortSizes &) const = default;
};

/// The power of two that holds `columns` elements, of which there is one at least.
[[nodiscard]] std::int64_t nextPowerOfTwo(std::int64_t columns);

/// Steps of attention that its text has to know.
struct AttentionSteps {
    std::size_t batches = 0; ///< so many of its loops are over attentions of their own; the other outer ones
                             ///< are over queries
    int score = -1;          ///< the product of a query and a key
    int logit = -1;          ///< what the softmax is of
    bool isSafe = false;     ///< a row that sees no key becomes zeros; else it has no value

    bool operator==(const AttentionSteps &) const = default;
};

enum class EpilogueActivation {
    None,
    Relu,
    LeakyRelu,   ///< `number` times what is negative
    ClippedRelu, ///< `number` at most
    Elu,
    HardSwish, ///< h * (h + 3) / 6, where that factor is between 0 and 1
    GeluTanh,
    Gelu,
    Silu,
    Sigmoid,
    Tanh,
};

/// What is done to a library's result before it is written. The steps of the kernel say the same.
struct Epilogue {
    int bias = -1;  ///< a leaf of the kernel with one value a column or channel; -1: none
    int added = -1; ///< a leaf like the result, which it is added to; a product has no activation then; -1:
                    ///< none
    bool isAddedLast = false; ///< after the activation
    EpilogueActivation activation = EpilogueActivation::None;
    double number = 0; ///< of those activations that have one

    [[nodiscard]] bool isEmpty() const {
        return bias < 0 && added < 0 && activation == EpilogueActivation::None;
    }
    /// A library of convolutions brings a kernel for it; others it writes when asked, which takes a while.
    [[nodiscard]] bool isReady() const {
        return added < 0 &&
               (activation == EpilogueActivation::None || activation == EpilogueActivation::Relu);
    }
    bool operator==(const Epilogue &) const = default;
};

/// What lies beyond both borders of an image, along one dimension of space.
enum class BoundaryMode {
    Zeros,
    Reflect,   ///< the image, turned around at its outermost element, which comes once
    Replicate, ///< its outermost element
    Circular,  ///< its other end
};

/// A convolution with one to three dimensions of space; the shapes are torch's.
struct ConvolutionSizes {
    Shape input;        ///< images, channels, space
    Shape inputStrides; ///< in elements
    std::int64_t inputOffset = 0;
    Shape weight; ///< [out, in / groups, taps], transposed: [in, out / groups, taps]
    Shape output;
    Shape stride, padding, dilation; ///< padding: before the image; behind it lies what the result needs
    std::vector<BoundaryMode>
        boundaryModes; ///< of each dimension of space; none: zeros. Of depthwise ones alone
    bool isTransposed = false;
    bool isChannelsLast = false; ///< filters and result: the channels (of the input) lie side by side
    std::int64_t groups = 1;

    [[nodiscard]] std::size_t dimensions() const { return stride.size(); }
    [[nodiscard]] std::int64_t taps() const; ///< elements of one filter of one channel
    [[nodiscard]] double operations() const; ///< multiplications and additions
    /// As many groups as channels, one channel with few filters among them, and each gives as many results:
    /// no product of matrices.
    [[nodiscard]] bool isDepthwise() const {
        constexpr std::int64_t fewFilters = 8;
        return !isTransposed && weight[1] == 1 && (groups > 1 || weight[0] <= fewFilters);
    }
    /// Whether anything but zeros lies beyond a border of this dimension of space.
    [[nodiscard]] bool hasNonZeroBoundary(std::size_t dimension) const {
        return !boundaryModes.empty() && boundaryModes[dimension] != BoundaryMode::Zeros;
    }
    bool operator==(const ConvolutionSizes &) const = default;
};

/// "added", "written", "raised", "lowered".
[[nodiscard]] QString scatterKindName(ScatterKind kind);

} // namespace warpwright
