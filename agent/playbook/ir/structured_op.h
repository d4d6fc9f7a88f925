// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

#include <variant>

/// Structured operators, which are lowered as a whole: by a library or a kernel template. Values.
namespace warpwright {

enum class ScatterKind { Put, Add, Maximum, Minimum }; ///< Put: of several writes to one row, any one stays

/// A scatter of rows to indices in memory.
struct ScatterSizes {
    std::int64_t count = 0;   ///< number of rows scattered
    std::int64_t rows = 0;    ///< of the result
    std::int64_t columns = 0; ///< of both
    ScatterKind kind = ScatterKind::Add;
    int positions = 1;          ///< input
    int base = -1;              ///< input: initial value of the result; -1: zeros
    bool isInitialized = false; ///< an earlier kernel has initialized the result

    bool operator==(const ScatterSizes &) const = default;
};

/// A scatter of rows, or a scatter-add, whose rows are input 0: a kernel of ours.
struct ScatteredRows {
    ScatterSizes sizes;

    bool operator==(const ScatteredRows &) const = default;
};

/// Each row sorted, values and indices: a kernel of ours. Its last loop is over a row as it is read; its
/// stores are over the first elements in order. The step of each store is the unsorted element.
struct SortedRows {
    std::int64_t kept = 0; ///< number of sorted elements that are stored
    int values = -1;       ///< store: the elements; -1: not needed
    int positions = -1;    ///< store: their indices in the row
    bool isDescending = false;
    bool isStable = false; ///< equal elements keep their order

    /// Compare-exchange operations of a bitonic network for a row of so many elements.
    [[nodiscard]] static double comparisons(std::int64_t columns);
    bool operator==(const SortedRows &) const = default;
};

/// The smallest power of two >= `columns` >= 1.
[[nodiscard]] std::int64_t nextPowerOfTwo(std::int64_t columns);

/// Two matmuls and the softmax between them: a kernel of ours on tensor cores, and the steps that its
/// template needs.
struct Attention {
    std::size_t batches = 0; ///< number of loops over batches and heads; other outer loops: queries
    int score = -1;          ///< the dot product of a query and a key
    int logit = -1;          ///< operand of the softmax
    bool isSafe = false;     ///< a fully masked row becomes zeros; else it is undefined

    bool operator==(const Attention &) const = default;
};

enum class EpilogueActivation {
    None,
    Relu,
    LeakyRelu,   ///< slope `number`
    ClippedRelu, ///< min(max(h, 0), `number`)
    Elu,
    HardSwish, ///< h * clamp(h + 3, 0, 6) / 6
    GeluTanh,
    Gelu,
    Silu,
    Sigmoid,
    Tanh,
};

/// A library's epilogue. The steps of the kernel compute the same.
struct Epilogue {
    int bias = -1;  ///< input with one value a column or channel; -1: none
    int added = -1; ///< input that is added to the result; excludes an activation of a matmul; -1: none
    bool isAddedLast = false; ///< after the activation
    EpilogueActivation activation = EpilogueActivation::None;
    double number = 0; ///< parameter of the activation, if it has one

    [[nodiscard]] bool isEmpty() const {
        return bias < 0 && added < 0 && activation == EpilogueActivation::None;
    }
    /// cuDNN has a precompiled kernel for it; others are compiled at run time, which takes a while.
    [[nodiscard]] bool isReady() const {
        return added < 0 &&
               (activation == EpilogueActivation::None || activation == EpilogueActivation::Relu);
    }
    bool operator==(const Epilogue &) const = default;
};

/// cuBLASLt, BLAS.
struct Matmul {
    Epilogue epilogue;
    bool isCellKernel = false; ///< of few rows within a time step: an RNN cell GEMM (`cell_matmul`)

    bool operator==(const Matmul &) const = default;
};

/// Values outside both borders of an image, along one spatial dimension.
enum class BoundaryMode {
    Zeros,
    Reflect,   ///< mirrored, without repeating the border element
    Replicate, ///< the border element
    Circular,  ///< wraps around
};

/// A convolution with one to three spatial dimensions; the shapes are torch's.
struct ConvolutionSizes {
    Shape input;        ///< [N, C, spatial...]
    Shape inputStrides; ///< in elements
    std::int64_t inputOffset = 0;
    Shape weight; ///< [out, in / groups, kernel...], transposed: [in, out / groups, kernel...]
    Shape output;
    Shape stride, padding, dilation; ///< padding: before the image; after it as much as the result needs
    std::vector<BoundaryMode> boundaryModes; ///< by spatial dimension; empty: zeros. Depthwise only
    bool isTransposed = false;
    bool isChannelsLast = false; ///< NHWC filters and result: (input) channels are contiguous
    std::int64_t groups = 1;

    [[nodiscard]] std::size_t dimensions() const { return stride.size(); }
    [[nodiscard]] std::int64_t taps() const; ///< kernel elements, per channel
    [[nodiscard]] double operations() const; ///< multiplications and additions
    /// One input channel a group, or a single input channel with few filters: no matmul.
    [[nodiscard]] bool isDepthwise() const {
        constexpr std::int64_t fewFilters = 8;
        return !isTransposed && weight[1] == 1 && (groups > 1 || weight[0] <= fewFilters);
    }
    /// Whether the padding of this spatial dimension is anything but zeros.
    [[nodiscard]] bool hasNonZeroBoundary(std::size_t dimension) const {
        return !boundaryModes.empty() && boundaryModes[dimension] != BoundaryMode::Zeros;
    }
    bool operator==(const ConvolutionSizes &) const = default;
};

/// cuDNN, or im2col and BLAS; depthwise, or with a fused consumer: a kernel of ours.
struct Convolution {
    ConvolutionSizes sizes;
    Epilogue epilogue;

    bool operator==(const Convolution &) const = default;
};

/// What a kernel is besides its loops; monostate: loops alone. Ask Kernel's accessors for one alternative;
/// where each has to be decided, std::visit with Overloaded.
using StructuredOp = std::variant<std::monostate, Matmul, Convolution, Attention, ScatteredRows, SortedRows>;

/// "added", "written", "raised", "lowered".
[[nodiscard]] QString scatterKindName(ScatterKind kind);

} // namespace warpwright
