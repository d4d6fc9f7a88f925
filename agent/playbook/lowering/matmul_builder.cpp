// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/matmul_builder.h"

#include "agent/playbook/analysis/matmul_pattern.h"
#include "agent/playbook/ir/split_loops.h"
#include "agent/playbook/lowering/node_lowering.h"

#include <algorithm>
#include <numeric>

namespace warpwright {
namespace {

constexpr int mostSplits = 50;
constexpr std::int64_t mostCalls = 64; ///< library calls for one matmul: more take longer than a copy

enum class LoopRole { Batch, Rows, Columns, Inner };

using MatmulSpace = SplitLoops<LoopRole>;

/// The same loops with the addresses of both operands and the result.
struct BlasAccess {
    Shape loops;
    std::vector<LoopRole> parts;
    std::vector<AffineExpr> addresses; ///< first, second, result

    void drop(std::size_t k) {
        const auto at = static_cast<std::ptrdiff_t>(k);
        loops.erase(loops.begin() + at);
        parts.erase(parts.begin() + at);
        for (AffineExpr &address : addresses)
            address.steps.erase(address.steps.begin() + at);
    }

    /// With its loops in this order, merged.
    [[nodiscard]] BlasAccess inOrder(const std::vector<std::size_t> &order) const {
        BlasAccess other;
        other.addresses.resize(addresses.size());
        for (const std::size_t k : order) {
            other.loops.push_back(loops[k]);
            other.parts.push_back(parts[k]);
            for (std::size_t i = 0; i < addresses.size(); ++i)
                other.addresses[i].steps.push_back(addresses[i].steps[k]);
        }
        for (std::size_t i = 0; i < addresses.size(); ++i)
            other.addresses[i].offset = addresses[i].offset;
        other.merge();
        return other;
    }

    void merge() {
        for (std::size_t k = loops.size(); k-- > 0;)
            if (loops[k] == 1)
                drop(k);
        for (std::size_t k = loops.size(); k-- > 1;) {
            const bool isOne =
                parts[k] == parts[k - 1] &&
                std::all_of(addresses.begin(), addresses.end(), [&](const AffineExpr &address) {
                    return address.steps[k - 1] == address.steps[k] * loops[k];
                });
            if (!isOne)
                continue;
            loops[k] *= loops[k - 1];
            drop(k - 1);
        }
    }

    [[nodiscard]] std::size_t last(LoopRole part) const {
        std::size_t found = loops.size();
        for (std::size_t k = 0; k < loops.size(); ++k)
            if (parts[k] == part)
                found = k;
        return found;
    }
};

/// Whether BLAS can address a matrix: one loop has stride 1, the other the leading dimension.
bool hasLeadingDimension(std::int64_t outer, std::int64_t outerStep, std::int64_t inner,
                         std::int64_t innerStep) {
    const auto fits = [](std::int64_t size, std::int64_t step, std::int64_t far, std::int64_t farStep) {
        return (step == 1 || size == 1) && (farStep >= size || far == 1);
    };
    return fits(inner, innerStep, outer, outerStep) || fits(outer, outerStep, inner, innerStep);
}

class MatmulBuilder {
public:
    MatmulBuilder(const ReferenceGraph &graph, const KnownBuffers &known, int node, bool isFree)
        : m_graph(graph),
          m_known(known),
          m_node(graph.nodes[static_cast<std::size_t>(node)]),
          m_isFree(isFree) {}

    StructuredKernel run() {
        MatmulSpace space = initialSpace();
        for (int i = 0; i < mostSplits; ++i) {
            NodeLowering lowering(m_graph, m_known, space.loops, space.loops.size());
            std::optional<LoopSplit> split;
            if (lowerBoth(lowering, space, split))
                return kernelOf(lowering, space);
            if (!split)
                return std::move(m_answer);
            space.split(*split);
        }
        m_answer.unsupported = QStringLiteral("no loop nest fits a matmul's operands");
        return std::move(m_answer);
    }

private:
    MatmulSpace initialSpace() const {
        const Shape &first = operandOf(m_graph, m_node, 0).shape;
        const Shape &second = operandOf(m_graph, m_node, 1).shape;
        const std::size_t matrix = first.size() - 2;
        return MatmulSpace({matrix > 0 ? first[0] : 1, first[matrix], second[matrix + 1], second[matrix]},
                           {LoopRole::Batch, LoopRole::Rows, LoopRole::Columns, LoopRole::Inner});
    }

    AffineMap mapOf(std::size_t which, const MatmulSpace &space) const {
        AffineMap map;
        if (m_node.shape.size() > 2)
            map.push_back(space.of(LoopRole::Batch));
        map.push_back(which == 0 ? space.of(LoopRole::Rows) : space.of(LoopRole::Inner));
        map.push_back(which == 0 ? space.of(LoopRole::Inner) : space.of(LoopRole::Columns));
        return map;
    }

    // Both operands as plain loads; else m_answer has the prerequisite, or `split` the loop to split.
    bool lowerBoth(NodeLowering &lowering, const MatmulSpace &space, std::optional<LoopSplit> &split) {
        for (const std::size_t which : {std::size_t(0), std::size_t(1)}) {
            const int argument = m_node.arguments[which].node;
            const LoweringResult result = lowering.lower(argument, mapOf(which, space));
            if (const auto *asked = std::get_if<LoopSplit>(&result)) {
                split = *asked;
                return false;
            }
            const int step = stepOf(result);
            const Kernel &kernel = lowering.kernel();
            const bool isLoad = isPlainLoad(kernel, step) &&
                                kernel.inputs[static_cast<std::size_t>(kernel.step(step).input)].type ==
                                    operandOf(m_graph, m_node, which).type;
            if (!isLoad) {
                requestBuffer(which);
                return false;
            }
            m_steps[which] = step;
        }
        return true;
    }

    // Requests what an operand is a view of; if that is in memory already, the operand itself.
    void requestBuffer(std::size_t which) {
        const int argument = m_node.arguments[which].node;
        const int base = belowViews(m_graph, argument);
        if (!m_known.contains(base))
            prerequisite(which, base);
        else if (!m_known.contains(argument))
            prerequisite(which, argument);
        else
            m_answer.unsupported = QStringLiteral("no matmul here takes its operands in their layout");
    }

    // Prefers aligned rows, if BLAS can address the operand in the same loops then.
    void prerequisite(std::size_t which, int node) {
        m_answer.prerequisite = node;
        const GraphNode &what = m_graph.nodes[static_cast<std::size_t>(node)];
        if (what.shape.empty())
            return;
        const TensorLayout byRows = contiguousLayout(what.shape);
        const TensorLayout aligned = layoutInOrder(what.shape, identityOrder(what.shape.size()), 1,
                                                   alignedRow(what.shape.back(), what.type));
        const std::optional<BlasAccess> access = accessTo(which, node, byRows);
        const std::optional<BlasAccess> other = accessTo(which, node, aligned);
        if (aligned != byRows && access && other && access->loops == other->loops)
            m_answer.preferredLayout = aligned;
    }

    // Access to one operand, if the tensor below its views had this layout.
    std::optional<BlasAccess> accessTo(std::size_t which, int base, const TensorLayout &layout) const {
        const KnownBuffers assumed = {{base, {0, layout}}};
        MatmulSpace space = initialSpace();
        for (int i = 0; i < mostSplits; ++i) {
            NodeLowering lowering(m_graph, assumed, space.loops, space.loops.size());
            const LoweringResult result = lowering.lower(m_node.arguments[which].node, mapOf(which, space));
            if (isPlainLoad(lowering.kernel(), stepOf(result))) {
                BlasAccess access{space.loops, space.parts, {lowering.kernel().inputs[0].address}};
                access.merge();
                return access;
            }
            const auto *split = std::get_if<LoopSplit>(&result);
            if (split == nullptr)
                break;
            space.split(*split);
        }
        return std::nullopt;
    }

    static std::vector<std::size_t> identityOrder(std::size_t count) {
        std::vector<std::size_t> order(count);
        std::iota(order.begin(), order.end(), std::size_t(0));
        return order;
    }

    StructuredKernel kernelOf(NodeLowering &lowering, const MatmulSpace &space) {
        const Kernel &found = lowering.kernel();
        BlasAccess access{space.loops, space.parts, {}};
        KernelInput inputs[2];
        for (const std::size_t which : {std::size_t(0), std::size_t(1)}) {
            inputs[which] = found.inputs[static_cast<std::size_t>(found.step(m_steps[which]).input)];
            access.addresses.push_back(inputs[which].address);
        }
        access = withResultAddresses(access, space);
        if (!isBlasCompatible(access))
            return std::move(m_answer);
        Kernel kernel;
        const std::vector<std::size_t> order = orderOf(access);
        const auto ordered = [&](const AffineExpr &address) {
            AffineExpr index{address.offset, {}};
            for (const std::size_t k : order)
                index.steps.push_back(k < access.loops.size() ? address.steps[k] : 0);
            return index;
        };
        for (const std::size_t k : order)
            kernel.loops.push_back(k < access.loops.size() ? access.loops[k] : 1);
        kernel.outer = kernel.loops.size() - 1;
        kernel.structuredOp = Matmul{};
        const ElementType type = computeType(m_node.type);
        int steps[2];
        for (const std::size_t which : {std::size_t(0), std::size_t(1)}) {
            inputs[which].address = ordered(access.addresses[which]);
            steps[which] = kernel.load(inputs[which]);
        }
        const int term = kernel.add(Opcode::Multiply, type, {steps[0], steps[1]});
        const int sum = kernel.add(Opcode::RowSum, type, {term});
        kernel.stores.push_back({sum, -1, m_node.type, ordered(access.addresses[2])});
        m_answer.kernel = std::move(kernel);
        return std::move(m_answer);
    }

    // Adds the result's addresses. A batch that shares its second matrix is more rows of one matmul. A free
    // result takes the row order in which the first operand has its rows adjacent.
    BlasAccess withResultAddresses(BlasAccess access, const MatmulSpace &space) {
        for (std::size_t k = 0; k < access.loops.size(); ++k)
            if (access.parts[k] == LoopRole::Batch && access.addresses[1].steps[k] == 0)
                access.parts[k] = LoopRole::Rows;
        const Shape &shape = m_node.shape;
        const std::size_t dimensions = shape.size();
        AffineMap result;
        if (dimensions > 2)
            result.push_back(space.of(LoopRole::Batch));
        result.push_back(space.of(LoopRole::Rows));
        result.push_back(space.of(LoopRole::Columns));
        const std::int64_t rowElements = m_isFree ? alignedRow(shape.back(), m_node.type) : shape.back();
        m_answer.layout = layoutInOrder(shape, identityOrder(dimensions), 1, rowElements);
        BlasAccess straight = access;
        straight.addresses.push_back(linearize(result, m_answer.layout.strides, 0));
        straight.merge();
        if (!m_isFree)
            return straight;
        std::vector<std::size_t> order = identityOrder(access.loops.size());
        std::stable_sort(order.begin(), order.end(), [&access](std::size_t a, std::size_t b) {
            const auto key = [&access](std::size_t k) {
                const bool isRow = access.parts[k] == LoopRole::Rows;
                return std::pair(access.parts[k], isRow ? -access.addresses[0].steps[k] : 0);
            };
            return key(a) < key(b);
        });
        // The result's dimensions are the loops, without the inner one and the batch of a single matmul.
        const std::size_t first = dimensions > 2 ? 0 : 1;
        Shape parts;
        std::vector<std::size_t> inMemory;
        for (std::size_t k = first; k < access.loops.size() && access.parts[k] != LoopRole::Inner; ++k)
            parts.push_back(access.loops[k]);
        for (const std::size_t k : order)
            if (k >= first && access.parts[k] != LoopRole::Inner)
                inMemory.push_back(k - first);
        const auto columns = std::count(access.parts.begin(), access.parts.end(), LoopRole::Columns);
        const TensorLayout layout =
            layoutInOrder(parts, inMemory, static_cast<std::size_t>(columns), rowElements);
        access.addresses.push_back(constantIndex(0, access.loops.size()));
        for (std::size_t d = 0; d < parts.size(); ++d)
            access.addresses[2].steps[d + first] = layout.strides[d];
        const BlasAccess reordered = access.inOrder(order);
        if (reordered.loops.size() >= straight.loops.size())
            return straight;
        m_answer.layout = layout;
        return reordered;
    }

    // Batches, rows, columns, inner; loops.size() stands for a loop of 1.
    static std::vector<std::size_t> orderOf(const BlasAccess &access) {
        const std::size_t row = access.last(LoopRole::Rows);
        const std::size_t column = access.last(LoopRole::Columns);
        const std::size_t inner = access.last(LoopRole::Inner);
        std::vector<std::size_t> order;
        for (std::size_t k = 0; k < access.loops.size(); ++k)
            if (k != row && k != column && k != inner)
                order.push_back(k);
        order.insert(order.end(), {row, column, inner});
        return order;
    }

    bool isBlasCompatible(const BlasAccess &access) {
        const auto size = [&access](std::size_t k) {
            return k < access.loops.size() ? access.loops[k] : 1;
        };
        const std::size_t row = access.last(LoopRole::Rows);
        const std::size_t column = access.last(LoopRole::Columns);
        const std::size_t inner = access.last(LoopRole::Inner);
        const bool isOneSum = std::count(access.parts.begin(), access.parts.end(), LoopRole::Inner) <= 1;
        std::int64_t calls = 1;
        std::int64_t largest = 1;
        for (std::size_t k = 0; k < access.loops.size(); ++k)
            if (k != row && k != column && k != inner) {
                calls *= access.loops[k];
                largest = std::max(largest, access.loops[k]);
            }
        const bool areFew = calls / largest <= mostCalls;
        bool isFineAll = true;
        for (const std::size_t which : {std::size_t(0), std::size_t(1)}) {
            const std::size_t other = which == 0 ? row : column;
            const auto step = [&](std::size_t k) {
                return k < access.loops.size() ? access.addresses[which].steps[k] : 0;
            };
            const bool isFine =
                isOneSum && areFew && hasLeadingDimension(size(other), step(other), size(inner), step(inner));
            isFineAll = isFineAll && isFine;
            if (isFine || m_known.contains(m_node.arguments[which].node))
                continue;
            prerequisite(which, m_node.arguments[which].node);
            return false;
        }
        if (!isFineAll)
            m_answer.unsupported = QStringLiteral("no matmul here takes its operands in their layout");
        return isFineAll;
    }

    const ReferenceGraph &m_graph;
    const KnownBuffers &m_known;
    const GraphNode &m_node;
    bool m_isFree;
    int m_steps[2] = {-1, -1};
    StructuredKernel m_answer;
};

} // namespace

StructuredKernel matmulKernel(const ReferenceGraph &graph, const KnownBuffers &known, int node, bool isFree) {
    return MatmulBuilder(graph, known, node, isFree).run();
}

} // namespace warpwright
