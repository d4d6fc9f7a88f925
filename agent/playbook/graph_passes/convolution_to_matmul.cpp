// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/graph_passes/convolution_to_matmul.h"

#include "agent/playbook/analysis/boundary_modes.h"
#include "agent/playbook/analysis/convolution_pattern.h"
#include "agent/playbook/analysis/matmul_pattern.h"
#include "agent/playbook/analysis/view_maps.h"
#include "agent/playbook/ir/graph_rewriter.h"

#include <algorithm>
#include <functional>
#include <set>

namespace warpwright {
namespace {

constexpr std::int64_t alignedBytes = 16;   ///< alignment of tensor core loads
constexpr std::int64_t mostNarrow = 32;     ///< channels for which a kernel of ours reads rows of any length,
constexpr std::int64_t leastTall = 4096;    ///< from so many positions on
constexpr std::int64_t leastPositions = 32; ///< a side of the smallest tile that keeps tensor cores busy

std::int64_t spaceOf(const Shape &shape) {
    return elementCount({shape.begin() + 2, shape.end()});
}

/// Matmul sizes of a convolution without overlapping windows.
struct MatmulSizes {
    std::int64_t images, in, out, taps;
    std::int64_t positions; ///< of an image where one sum is
    Shape kernel, coarse;   ///< taps, and positions, by dimension
    bool isTransposed;
    bool isTokens = false; ///< consumers read [positions, channels]

    bool isTogether = false; ///< NHWC: the positions of all images are rows of one matrix

    [[nodiscard]] bool isOneTap() const { return taps == 1; }
    /// The image is patches already, without a copy.
    [[nodiscard]] bool isInPatches() const { return in == 1 && kernel.size() == 1; }
    [[nodiscard]] std::int64_t inner() const { return isTransposed ? in : in * taps; }
};

class ConvolutionToMatmul {
public:
    ConvolutionToMatmul(const ReferenceGraph &graph, bool areChannelsLast)
        : m_graph(graph),
          m_areChannelsLast(areChannelsLast),
          m_readers(graph.nodes.size()),
          m_rewriter(graph) {
        for (std::size_t i = 0; i < graph.nodes.size(); ++i)
            forEachTensor(graph.nodes[i], [&](const GraphArgument &argument) {
                m_readers[static_cast<std::size_t>(argument.node)].push_back(static_cast<int>(i));
            });
    }

    ReferenceGraph run() {
        return m_rewriter.run([this](int position) {
            GraphNode node = m_rewriter.moved(position);
            if (const auto sizes = matmulSizes(position)) {
                const int matmul = written(node, *sizes);
                m_written.insert(matmul);
                return matmul;
            }
            bypassReshape(node);
            return m_rewriter.append(std::move(node));
        });
    }

private:
    const GraphNode &at(int node) const { return m_graph.nodes[static_cast<std::size_t>(node)]; }
    const std::vector<int> &readersOf(int node) const { return m_readers[static_cast<std::size_t>(node)]; }
    bool isOutput(int node) const {
        return std::find(m_graph.outputs.begin(), m_graph.outputs.end(), node) != m_graph.outputs.end();
    }

    // Empty: it is no matmul, or better left as it is.
    std::optional<MatmulSizes> matmulSizes(int position) const {
        const GraphNode &node = at(position);
        const bool isLast = m_areChannelsLast && isConvolution(node) && canBeChannelsLast(m_graph, node);
        if (!isConvolution(node) || !boundaryModesOf(node).empty() ||
            (isLast && !isBetterWithChannelsLast(position)))
            return std::nullopt;
        const Shape &image = at(node.arguments[0].node).shape;
        const Shape &weight = at(node.arguments[1].node).shape;
        const Shape kernel(weight.begin() + 2, weight.end());
        const auto are = [&](std::size_t argument, std::int64_t value) {
            const Shape values = node.arguments[argument].integers();
            return std::all_of(values.begin(), values.end(),
                               [value](std::int64_t some) { return some == value; });
        };
        MatmulSizes sizes;
        sizes.isTransposed = node.arguments[6].truth;
        const Shape &coarse = sizes.isTransposed ? image : node.shape;
        const Shape &fine = sizes.isTransposed ? node.shape : image;
        Shape stride = node.arguments[3].integers();
        stride.resize(kernel.size(), stride.empty() ? 1 : stride.back());
        const bool isWhole = stride == kernel && are(4, 0) && are(5, 1) && are(7, 0) &&
                             node.arguments[8].number == 1 && weight.size() == image.size() &&
                             node.shape.size() == image.size();
        for (std::size_t d = 0; d < kernel.size(); ++d)
            if (!isWhole || coarse[d + 2] * kernel[d] != fine[d + 2])
                return std::nullopt;
        sizes.images = image[0];
        sizes.in = image[1];
        sizes.out = node.shape[1];
        sizes.taps = elementCount(kernel);
        sizes.kernel = kernel;
        sizes.coarse = Shape(coarse.begin() + 2, coarse.end());
        sizes.positions = spaceOf(coarse);
        sizes.isTokens = !sizes.isTransposed && (sizes.positions == 1 || isReadAsTokens(position));
        if (isLast) {
            sizes.isTogether = true;
            return sizes.isOneTap() && !sizes.isTransposed ? std::optional(sizes) : std::nullopt;
        }
        return isWorthIt(position, node, sizes) ? std::optional(sizes) : std::nullopt;
    }

    // GEMM libraries are faster at one tap; consumers have to fit their epilogue.
    bool isBetterWithChannelsLast(int position) const {
        const std::vector<int> &readers = readersOf(position);
        const auto isEpilogue = [&](int reader) {
            const GraphNode &what = at(reader);
            return what.shape != at(position).shape || what.op == QLatin1String("relu") ||
                   what.op == QLatin1String("gelu") || what.op == QLatin1String("add.Tensor");
        };
        const int image = at(position).arguments[0].node;
        // If computed for it alone, it stays rows of a matrix; with other consumers, the layout is theirs.
        const std::vector<int> &others = readersOf(image);
        const bool isForItAlone = at(image).kind == GraphNode::Kind::Operator &&
                                  std::count_if(others.begin(), others.end(),
                                                [&](int some) { return isConvolution(at(some)); }) == 1;
        return (isForItAlone || comesWithChannelsLast(m_graph, image)) &&
               (readers.size() != 1 || isEpilogue(readers[0]));
    }

    bool isWorthIt(int position, const GraphNode &node, const MatmulSizes &sizes) const {
        const auto isAligned = [&node](std::int64_t elements) {
            return elements * bytesOf(node.type) % alignedBytes == 0;
        };
        // A bias per row (positions contiguous) is no GEMM epilogue. If no later kernel would add it anyway,
        // a convolution library saves a pass; so it does where patches would have to be scattered for a
        // library alone.
        const bool isAddedAlone = hasBias(node) && !sizes.isTransposed;
        const bool isScatteredAlone = sizes.isTransposed && !sizes.isOneTap() && !hasBias(node);
        if (!sizes.isTokens && (isAddedAlone || isScatteredAlone) && endsInMemory(position))
            return false;
        // Patches are a copy of the image, wasted if the result has another layout. They pay off if small
        // beside the result, or if there are so few channels that a convolution's tensor cores, which sum
        // over channels first, would be mostly idle.
        if (!sizes.isTransposed && !sizes.isOneTap())
            return sizes.isInPatches() ||
                   (sizes.isTokens && (sizes.inner() <= sizes.out || !isAligned(sizes.in)));
        const bool isNarrow =
            std::max(sizes.in, sizes.out * sizes.taps) <= mostNarrow && sizes.positions >= leastTall;
        const bool isSum = sizes.positions == 1 || sizes.in == 1 || sizes.out * sizes.taps == 1;
        // A convolution's tiles span the positions of all images, a matmul's only those of one.
        const bool isForTensorCores =
            sizes.positions >= leastPositions && isAligned(sizes.positions) && isAligned(sizes.in);
        return isNarrow || isSum || isForTensorCores;
    }

    // After the bias at most a ReLU, then a library's input in memory, or a result.
    bool endsInMemory(int node) const {
        if (const auto &readers = readersOf(node);
            readers.size() == 1 && !isOutput(node) && at(readers[0]).op == QLatin1String("relu"))
            node = readers[0];
        return isOnlyForLibraries(node);
    }

    bool isOnlyForLibraries(int node) const {
        const std::vector<int> &readers = readersOf(node);
        return std::all_of(readers.begin(), readers.end(), [&](int reader) {
            const GraphNode &what = at(reader);
            return isView(what) ? isOnlyForLibraries(reader)
                                : isConvolution(what) || isBlasMatmul(m_graph, what);
        });
    }

    // After elementwise work, the first consumer that reorders reads channels innermost.
    bool isReadAsTokens(int node) const {
        const std::vector<int> &readers = readersOf(node);
        return !isOutput(node) && !readers.empty() &&
               std::all_of(readers.begin(), readers.end(),
                           [&](int reader) { return isTokensOf(at(node).shape, reader); });
    }

    bool isTokensOf(const Shape &from, int reader) const {
        const GraphNode &what = at(reader);
        const std::size_t dimensions = from.size();
        if (what.op.startsWith(QLatin1String("permute")) && dimensions > 2)
            return dimensionOf(static_cast<double>(what.arguments[1].integers().back()), dimensions) == 1;
        if (what.op.startsWith(QLatin1String("transpose")) && dimensions == 3)
            return dimensionOf(what.arguments[1].number, 3) + dimensionOf(what.arguments[2].number, 3) == 3;
        const bool isFlattened = isView(what) && what.shape.size() > 2 && what.shape[0] == from[0] &&
                                 what.shape[1] == from[1] && elementCount(what.shape) == elementCount(from);
        const bool isEach = !isView(what) && what.isTensor && what.shape == from && !isConvolution(what) &&
                            !isMatmul(what) && readersOf(reader).size() == 1;
        return (isFlattened || isEach) && isReadAsTokens(reader);
    }

    // A reshape that merges split positions again is bypassed: split and merge would be divisions where loops
    // do not begin at position 0.
    void bypassReshape(GraphNode &node) const {
        if (!isReshape(node) || !m_written.contains(node.arguments[0].node))
            return;
        const GraphNode &apart = m_rewriter.written(node.arguments[0].node);
        if (apart.op == QLatin1String("view"))
            node.arguments[0].node = apart.arguments[0].node;
    }

    int view(const GraphNode &convolution, int of, const Shape &shape) {
        return m_rewriter.append(convolution, "view", shape, {nodeArgument(of), listArgument(shape)});
    }
    int permuted(const GraphNode &convolution, int of, const Shape &order) {
        Shape shape;
        for (const std::int64_t d : order)
            shape.push_back(m_rewriter.written(of).shape[static_cast<std::size_t>(d)]);
        return m_rewriter.append(convolution, "permute", shape, {nodeArgument(of), listArgument(order)});
    }
    int expanded(const GraphNode &convolution, int matrix, std::int64_t times) {
        Shape shape = m_rewriter.written(matrix).shape;
        shape.insert(shape.begin(), times);
        return m_rewriter.append(convolution, "expand", shape, {nodeArgument(matrix), listArgument(shape)});
    }
    int withBias(const GraphNode &convolution, int sum, const Shape &biasShape) {
        if (!hasBias(convolution))
            return sum;
        const int bias = view(convolution, convolution.arguments[2].node, biasShape);
        const Shape shape = m_rewriter.written(sum).shape;
        return m_rewriter.append(convolution, "add.Tensor", shape, {nodeArgument(sum), nodeArgument(bias)});
    }

    // Replaces a convolution, whose arguments are of the new graph; returns the node with its value.
    int written(const GraphNode &node, const MatmulSizes &sizes) {
        if (sizes.isTransposed)
            return scatteredPatches(node, sizes);
        if (sizes.isTogether)
            return nhwcMatmul(node, sizes);
        const int weight = view(node, node.arguments[1].node, {sizes.out, sizes.inner()});
        if (!sizes.isTokens) { // [out, inner] x [inner, positions] for each image
            const Shape shape = {sizes.images, sizes.out, sizes.positions};
            const int matmul = m_rewriter.append(node, "bmm", shape,
                                                 {nodeArgument(expanded(node, weight, sizes.images)),
                                                  nodeArgument(innerByPositions(node, sizes))});
            return view(node, withBias(node, matmul, {sizes.out, 1}), node.shape);
        }
        const int transposed = permuted(node, weight, {1, 0});
        int matmul = 0;
        if (sizes.positions == 1 || !sizes.isOneTap()) {
            const std::int64_t rows = sizes.images * sizes.positions;
            const int first = sizes.isOneTap() ? view(node, node.arguments[0].node, {rows, sizes.inner()})
                                               : patches(node, sizes);
            matmul = m_rewriter.append(node, "mm", {rows, sizes.out},
                                       {nodeArgument(first), nodeArgument(transposed)});
        } else {
            const int first = permuted(node, innerByPositions(node, sizes), {0, 2, 1});
            matmul = m_rewriter.append(
                node, "bmm", {sizes.images, sizes.positions, sizes.out},
                {nodeArgument(first), nodeArgument(expanded(node, transposed, sizes.images))});
        }
        const int sum = withBias(node, matmul, {sizes.out});
        const int tokens = view(node, sum, {sizes.images, sizes.positions, sizes.out});
        return view(node, permuted(node, tokens, {0, 2, 1}), node.shape);
    }

    // [images * positions, in] x [in, out], for an NHWC image.
    int nhwcMatmul(const GraphNode &node, const MatmulSizes &sizes) {
        const std::size_t dimensions = node.shape.size();
        Shape last = {0};
        Shape back = {0, static_cast<std::int64_t>(dimensions) - 1};
        for (std::size_t d = 2; d < dimensions; ++d) {
            last.push_back(static_cast<std::int64_t>(d));
            back.push_back(static_cast<std::int64_t>(d) - 1);
        }
        last.push_back(1);
        const std::int64_t rows = sizes.images * sizes.positions;
        const int image = permuted(node, node.arguments[0].node, last);
        const int weight = view(node, node.arguments[1].node, {sizes.out, sizes.in});
        const int matmul = m_rewriter.append(node, "mm", {rows, sizes.out},
                                             {nodeArgument(view(node, image, {rows, sizes.in})),
                                              nodeArgument(permuted(node, weight, {1, 0}))});
        Shape apart = {sizes.images};
        apart.insert(apart.end(), sizes.coarse.begin(), sizes.coarse.end());
        apart.push_back(sizes.out);
        return permuted(node, view(node, withBias(node, matmul, {sizes.out}), apart), back);
    }

    int innerByPositions(const GraphNode &node, const MatmulSizes &sizes) {
        if (sizes.isOneTap())
            return view(node, node.arguments[0].node, {sizes.images, sizes.in, sizes.positions});
        const Shape shape = {sizes.images, sizes.positions, sizes.inner()};
        return permuted(node, view(node, patches(node, sizes), shape), {0, 2, 1});
    }

    // The window of each result, as a row: [images * positions, in * taps].
    int patches(const GraphNode &node, const MatmulSizes &sizes) {
        Shape apart = {sizes.images, sizes.in};
        Shape order = {0};
        for (std::size_t d = 0; d < sizes.kernel.size(); ++d) {
            order.push_back(static_cast<std::int64_t>(apart.size()));
            apart.push_back(sizes.coarse[d]);
            apart.push_back(sizes.kernel[d]);
        }
        order.push_back(1);
        for (std::size_t d = 0; d < sizes.kernel.size(); ++d)
            order.push_back(static_cast<std::int64_t>(2 * d + 3));
        const int split = view(node, node.arguments[0].node, apart);
        return view(node, permuted(node, split, order), {sizes.images * sizes.positions, sizes.inner()});
    }

    // Transposed: each position makes a patch, [out * taps, in] x [in, positions], and patches are placed
    // next to each other.
    int scatteredPatches(const GraphNode &node, const MatmulSizes &sizes) {
        const std::int64_t rows = sizes.out * sizes.taps;
        const int weight = permuted(node, view(node, node.arguments[1].node, {sizes.in, rows}), {1, 0});
        const int image = view(node, node.arguments[0].node, {sizes.images, sizes.in, sizes.positions});
        const int matmul =
            m_rewriter.append(node, "bmm", {sizes.images, rows, sizes.positions},
                              {nodeArgument(expanded(node, weight, sizes.images)), nodeArgument(image)});
        Shape apart = {sizes.images, sizes.out};
        apart.insert(apart.end(), sizes.kernel.begin(), sizes.kernel.end());
        apart.insert(apart.end(), sizes.coarse.begin(), sizes.coarse.end());
        const std::size_t space = sizes.kernel.size();
        Shape order = {0, 1};
        for (std::size_t d = 0; d < space; ++d) {
            order.push_back(static_cast<std::int64_t>(2 + space + d));
            order.push_back(static_cast<std::int64_t>(2 + d));
        }
        const int scattered = view(node, permuted(node, view(node, matmul, apart), order), node.shape);
        Shape biasShape(space + 1, 1);
        biasShape[0] = sizes.out;
        return withBias(node, scattered, biasShape);
    }

    const ReferenceGraph &m_graph;
    bool m_areChannelsLast;
    std::vector<std::vector<int>> m_readers;
    std::set<int> m_written; ///< of the new graph: replacements of convolutions
    GraphRewriter m_rewriter;
};

} // namespace

ReferenceGraph withConvolutionsAsMatmuls(const ReferenceGraph &graph, bool areChannelsLast) {
    return ConvolutionToMatmul(graph, areChannelsLast).run();
}

} // namespace warpwright
