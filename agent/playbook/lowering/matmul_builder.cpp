// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/matmul_builder.h"

#include "agent/playbook/analysis/product_plan.h"
#include "agent/playbook/ir/parted_loops.h"
#include "agent/playbook/lowering/kernel_lowering.h"

#include <algorithm>
#include <numeric>

namespace warpwright {
namespace {

constexpr int mostSplits = 50;
constexpr std::int64_t mostCalls = 64; ///< of a library for one product: more take longer than a copy does

enum class Part { Batch, Rows, Columns, Inner };

using ProductSpace = PartedLoops<Part>;

/// The same loops with addresses of both operands and the result in them.
struct Walk {
    Shape loops;
    std::vector<Part> parts;
    std::vector<AffineIndex> addresses; ///< first, second, result

    void drop(std::size_t k) {
        const auto place = static_cast<std::ptrdiff_t>(k);
        loops.erase(loops.begin() + place);
        parts.erase(parts.begin() + place);
        for (AffineIndex &address : addresses)
            address.steps.erase(address.steps.begin() + place);
    }

    /// With its loops in this order, merged.
    [[nodiscard]] Walk inOrder(const std::vector<std::size_t> &order) const {
        Walk other;
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
                std::all_of(addresses.begin(), addresses.end(), [&](const AffineIndex &address) {
                    return address.steps[k - 1] == address.steps[k] * loops[k];
                });
            if (!isOne)
                continue;
            loops[k] *= loops[k - 1];
            drop(k - 1);
        }
    }

    [[nodiscard]] std::size_t last(Part part) const {
        std::size_t found = loops.size();
        for (std::size_t k = 0; k < loops.size(); ++k)
            if (parts[k] == part)
                found = k;
        return found;
    }
};

/// Whether BLAS can walk a matrix: one of its two loops in steps of 1, the other one beyond.
bool isWalkable(std::int64_t outer, std::int64_t outerStep, std::int64_t inner, std::int64_t innerStep) {
    const auto fits = [](std::int64_t size, std::int64_t step, std::int64_t far, std::int64_t farStep) {
        return (step == 1 || size == 1) && (farStep >= size || far == 1);
    };
    return fits(inner, innerStep, outer, outerStep) || fits(outer, outerStep, inner, innerStep);
}

class ProductPlanner {
public:
    ProductPlanner(const ReferenceGraph &graph, const KnownBuffers &known, int node, bool isFree)
        : m_graph(graph),
          m_known(known),
          m_node(graph.nodes[static_cast<std::size_t>(node)]),
          m_isFree(isFree) {}

    AnchorKernel run() {
        ProductSpace space = wholeSpace();
        for (int i = 0; i < mostSplits; ++i) {
            KernelLowering lowering(m_graph, m_known, space.loops, space.loops.size());
            std::optional<LoopSplit> split;
            if (lowerBoth(lowering, space, split))
                return kernelOf(lowering, space);
            if (!split)
                return std::move(m_answer);
            space.split(*split);
        }
        m_answer.cannot = QStringLiteral("the loops of a product do not fit together");
        return std::move(m_answer);
    }

private:
    ProductSpace wholeSpace() const {
        const Shape &first = operandOf(m_graph, m_node, 0).shape;
        const Shape &second = operandOf(m_graph, m_node, 1).shape;
        const std::size_t matrix = first.size() - 2;
        return ProductSpace({matrix > 0 ? first[0] : 1, first[matrix], second[matrix + 1], second[matrix]},
                            {Part::Batch, Part::Rows, Part::Columns, Part::Inner});
    }

    IndexMap mapOf(std::size_t which, const ProductSpace &space) const {
        IndexMap map;
        if (m_node.shape.size() > 2)
            map.push_back(space.of(Part::Batch));
        map.push_back(which == 0 ? space.of(Part::Rows) : space.of(Part::Inner));
        map.push_back(which == 0 ? space.of(Part::Inner) : space.of(Part::Columns));
        return map;
    }

    // Both operands as plain loads; else m_answer says what has to be computed before, or `split` which loop
    // has to become two.
    bool lowerBoth(KernelLowering &lowering, const ProductSpace &space, std::optional<LoopSplit> &split) {
        for (const std::size_t which : {std::size_t(0), std::size_t(1)}) {
            const int argument = m_node.arguments[which].node;
            const LoweringResult result = lowering.lower(argument, mapOf(which, space));
            if (const auto *asked = std::get_if<LoopSplit>(&result)) {
                split = *asked;
                return false;
            }
            const int step = stepOf(result);
            const FusedKernel &kernel = lowering.kernel();
            const bool isLoad = isPlainLoad(kernel, step) &&
                                kernel.leaves[static_cast<std::size_t>(kernel.step(step).leaf)].type ==
                                    operandOf(m_graph, m_node, which).type;
            if (!isLoad) {
                computeBefore(which);
                return false;
            }
            m_steps[which] = step;
        }
        return true;
    }

    // What an operand is a view of; if that lies in memory already, the operand itself in order.
    void computeBefore(std::size_t which) {
        const int argument = m_node.arguments[which].node;
        const int base = belowViews(m_graph, argument);
        if (!m_known.contains(base))
            before(which, base);
        else if (!m_known.contains(argument))
            before(which, argument);
        else
            m_answer.cannot = QStringLiteral("no product here takes its operands as they lie");
    }

    // Each row from an aligned place on, where the operand is walked as well then.
    void before(std::size_t which, int node) {
        m_answer.before = node;
        const GraphNode &what = m_graph.nodes[static_cast<std::size_t>(node)];
        if (what.shape.empty())
            return;
        const BufferLayout byRows = layoutByRows(what.shape);
        const BufferLayout aligned = layoutInOrder(what.shape, counted(what.shape.size()), 1,
                                                   alignedRow(what.shape.back(), what.type));
        const std::optional<Walk> walk = walkOver(which, node, byRows);
        const std::optional<Walk> other = walkOver(which, node, aligned);
        if (aligned != byRows && walk && other && walk->loops == other->loops)
            m_answer.wished = aligned;
    }

    // An operand alone, as if what is below its views lay so.
    std::optional<Walk> walkOver(std::size_t which, int base, const BufferLayout &layout) const {
        const KnownBuffers supposed = {{base, {0, layout}}};
        ProductSpace space = wholeSpace();
        for (int i = 0; i < mostSplits; ++i) {
            KernelLowering lowering(m_graph, supposed, space.loops, space.loops.size());
            const LoweringResult result = lowering.lower(m_node.arguments[which].node, mapOf(which, space));
            if (isPlainLoad(lowering.kernel(), stepOf(result))) {
                Walk walk{space.loops, space.parts, {lowering.kernel().leaves[0].address}};
                walk.merge();
                return walk;
            }
            const auto *split = std::get_if<LoopSplit>(&result);
            if (split == nullptr)
                break;
            space.split(*split);
        }
        return std::nullopt;
    }

    static std::vector<std::size_t> counted(std::size_t count) {
        std::vector<std::size_t> order(count);
        std::iota(order.begin(), order.end(), std::size_t(0));
        return order;
    }

    AnchorKernel kernelOf(KernelLowering &lowering, const ProductSpace &space) {
        const FusedKernel &found = lowering.kernel();
        Walk walk{space.loops, space.parts, {}};
        KernelLeaf leaves[2];
        for (const std::size_t which : {std::size_t(0), std::size_t(1)}) {
            leaves[which] = found.leaves[static_cast<std::size_t>(found.step(m_steps[which]).leaf)];
            walk.addresses.push_back(leaves[which].address);
        }
        walk = placed(walk, space);
        if (!isWalkableByBlas(walk))
            return std::move(m_answer);
        FusedKernel kernel;
        const std::vector<std::size_t> order = orderOf(walk);
        const auto ordered = [&](const AffineIndex &address) {
            AffineIndex index{address.offset, {}};
            for (const std::size_t k : order)
                index.steps.push_back(k < walk.loops.size() ? address.steps[k] : 0);
            return index;
        };
        for (const std::size_t k : order)
            kernel.loops.push_back(k < walk.loops.size() ? walk.loops[k] : 1);
        kernel.outer = kernel.loops.size() - 1;
        kernel.anchor = Anchor::Product;
        const ElementType type = computedType(m_node.type);
        int steps[2];
        for (const std::size_t which : {std::size_t(0), std::size_t(1)}) {
            leaves[which].address = ordered(walk.addresses[which]);
            steps[which] = kernel.load(leaves[which]);
        }
        const int product = kernel.add(KernelOp::Multiply, type, {steps[0], steps[1]});
        const int sum = kernel.add(KernelOp::RowSum, type, {product});
        kernel.stores.push_back({sum, -1, m_node.type, ordered(walk.addresses[2])});
        m_answer.kernel = std::move(kernel);
        return std::move(m_answer);
    }

    // With the result's places. A batch that shares its second matrix is rows more of one product. And rows
    // may come in any order: a free result takes the one in which the first operand has them side by side.
    Walk placed(Walk walk, const ProductSpace &space) {
        for (std::size_t k = 0; k < walk.loops.size(); ++k)
            if (walk.parts[k] == Part::Batch && walk.addresses[1].steps[k] == 0)
                walk.parts[k] = Part::Rows;
        const Shape &shape = m_node.shape;
        const std::size_t dimensions = shape.size();
        IndexMap result;
        if (dimensions > 2)
            result.push_back(space.of(Part::Batch));
        result.push_back(space.of(Part::Rows));
        result.push_back(space.of(Part::Columns));
        const std::int64_t rowElements = m_isFree ? alignedRow(shape.back(), m_node.type) : shape.back();
        m_answer.layout = layoutInOrder(shape, counted(dimensions), 1, rowElements);
        Walk straight = walk;
        straight.addresses.push_back(combined(result, m_answer.layout.strides, 0));
        straight.merge();
        if (!m_isFree)
            return straight;
        std::vector<std::size_t> order = counted(walk.loops.size());
        std::stable_sort(order.begin(), order.end(), [&walk](std::size_t a, std::size_t b) {
            const auto key = [&walk](std::size_t k) {
                const bool isRow = walk.parts[k] == Part::Rows;
                return std::pair(walk.parts[k], isRow ? -walk.addresses[0].steps[k] : 0);
            };
            return key(a) < key(b);
        });
        // The result's dimensions are the loops, but for what is summed over and the batch of a single
        // product.
        const std::size_t first = dimensions > 2 ? 0 : 1;
        Shape parts;
        std::vector<std::size_t> inMemory;
        for (std::size_t k = first; k < walk.loops.size() && walk.parts[k] != Part::Inner; ++k)
            parts.push_back(walk.loops[k]);
        for (const std::size_t k : order)
            if (k >= first && walk.parts[k] != Part::Inner)
                inMemory.push_back(k - first);
        const auto columns = std::count(walk.parts.begin(), walk.parts.end(), Part::Columns);
        const BufferLayout layout =
            layoutInOrder(parts, inMemory, static_cast<std::size_t>(columns), rowElements);
        walk.addresses.push_back(constantIndex(0, walk.loops.size()));
        for (std::size_t d = 0; d < parts.size(); ++d)
            walk.addresses[2].steps[d + first] = layout.strides[d];
        const Walk reordered = walk.inOrder(order);
        if (reordered.loops.size() >= straight.loops.size())
            return straight;
        m_answer.layout = layout;
        return reordered;
    }

    // Batches, rows, columns, inner; loops.size() stands for a loop of one.
    static std::vector<std::size_t> orderOf(const Walk &walk) {
        const std::size_t row = walk.last(Part::Rows);
        const std::size_t column = walk.last(Part::Columns);
        const std::size_t inner = walk.last(Part::Inner);
        std::vector<std::size_t> order;
        for (std::size_t k = 0; k < walk.loops.size(); ++k)
            if (k != row && k != column && k != inner)
                order.push_back(k);
        order.insert(order.end(), {row, column, inner});
        return order;
    }

    bool isWalkableByBlas(const Walk &walk) {
        const auto size = [&walk](std::size_t k) {
            return k < walk.loops.size() ? walk.loops[k] : 1;
        };
        const std::size_t row = walk.last(Part::Rows);
        const std::size_t column = walk.last(Part::Columns);
        const std::size_t inner = walk.last(Part::Inner);
        const bool isOneSum = std::count(walk.parts.begin(), walk.parts.end(), Part::Inner) <= 1;
        std::int64_t calls = 1;
        std::int64_t largest = 1;
        for (std::size_t k = 0; k < walk.loops.size(); ++k)
            if (k != row && k != column && k != inner) {
                calls *= walk.loops[k];
                largest = std::max(largest, walk.loops[k]);
            }
        const bool areFew = calls / largest <= mostCalls;
        bool isFineAll = true;
        for (const std::size_t which : {std::size_t(0), std::size_t(1)}) {
            const std::size_t other = which == 0 ? row : column;
            const auto step = [&](std::size_t k) {
                return k < walk.loops.size() ? walk.addresses[which].steps[k] : 0;
            };
            const bool isFine =
                isOneSum && areFew && isWalkable(size(other), step(other), size(inner), step(inner));
            isFineAll = isFineAll && isFine;
            if (isFine || m_known.contains(m_node.arguments[which].node))
                continue;
            before(which, m_node.arguments[which].node);
            return false;
        }
        if (!isFineAll)
            m_answer.cannot = QStringLiteral("no product here takes its operands as they lie");
        return isFineAll;
    }

    const ReferenceGraph &m_graph;
    const KnownBuffers &m_known;
    const GraphNode &m_node;
    bool m_isFree;
    int m_steps[2] = {-1, -1};
    AnchorKernel m_answer;
};

} // namespace

AnchorKernel productKernel(const ReferenceGraph &graph, const KnownBuffers &known, int node, bool isFree) {
    return ProductPlanner(graph, known, node, isFree).run();
}

} // namespace warpwright
