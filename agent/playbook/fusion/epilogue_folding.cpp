// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/epilogue_folding.h"

#include "agent/playbook/analysis/product_plan.h"
#include "agent/playbook/fusion/joined_products.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/schedule/own_convolution.h"

#include <algorithm>
#include <numbers>

namespace warpwright {
namespace {

constexpr std::int64_t alignedBytes = 16;  ///< that matrix units' stores start at
constexpr std::int64_t leastChannels = 16; ///< in which kernels of channels last are not slower than a pass
constexpr double leastOperations = 1e9;    ///< of a product that is worth a pass more

constexpr double hardSwishWidth = 6;

/// An activation, with what it has beside the element.
struct Activation {
    EpilogueActivation kind = EpilogueActivation::None;
    double number = 0;
};

int withActivation(FusedKernel &kernel, int step, const Activation &what, ElementType type) {
    const EpilogueActivation activation = what.kind;
    const auto number = [&](double value) {
        return kernel.number(value, type);
    };
    const auto times = [&](int a, int b) {
        return kernel.add(KernelOp::Multiply, type, {a, b});
    };
    if (activation == EpilogueActivation::Relu)
        return kernel.add(KernelOp::Maximum, type, {step, number(0)});
    if (activation == EpilogueActivation::ClippedRelu)
        return kernel.add(KernelOp::Minimum, type,
                          {kernel.add(KernelOp::Maximum, type, {step, number(0)}), number(what.number)});
    if (activation == EpilogueActivation::HardSwish) {
        const int moved = kernel.add(KernelOp::Add, type, {step, number(3)});
        const int factor =
            withActivation(kernel, moved, {EpilogueActivation::ClippedRelu, hardSwishWidth}, type);
        return kernel.add(KernelOp::Divide, type, {times(factor, step), number(hardSwishWidth)});
    }
    if (activation == EpilogueActivation::LeakyRelu || activation == EpilogueActivation::Elu) {
        const int isPositive = kernel.add(KernelOp::Less, ElementType::Bool, {number(0), step});
        const int negative = activation == EpilogueActivation::Elu
                                 ? kernel.add(KernelOp::ExponentialLess1, type, {step})
                                 : times(step, number(what.number));
        return kernel.add(KernelOp::Select, type, {isPositive, step, negative});
    }
    if (activation == EpilogueActivation::GeluTanh) {
        // As torch takes it apart: h / 2 * (1 + tanh(sqrt(2 / pi) * (h + 0.044715 * h^3))).
        const double rootTwoOverPi = std::numbers::sqrt2 * std::numbers::inv_sqrtpi * 2 * 0.5;
        const int cube = times(times(step, step), step);
        const int inner = times(kernel.add(KernelOp::Add, type, {step, times(cube, number(0.044715))}),
                                number(rootTwoOverPi));
        const int tangent = kernel.add(KernelOp::HyperbolicTangent, type, {inner});
        return times(times(step, number(0.5)), kernel.add(KernelOp::Add, type, {tangent, number(1)}));
    }
    if (activation == EpilogueActivation::Gelu) {
        const int error =
            kernel.add(KernelOp::ErrorFunction, type, {times(step, number(std::numbers::sqrt2 / 2))});
        return times(times(step, number(0.5)), kernel.add(KernelOp::Add, type, {error, number(1)}));
    }
    if (activation == EpilogueActivation::Silu)
        return times(step, kernel.add(KernelOp::Sigmoid, type, {step}));
    if (activation == EpilogueActivation::Sigmoid)
        return kernel.add(KernelOp::Sigmoid, type, {step});
    if (activation == EpilogueActivation::Tanh)
        return kernel.add(KernelOp::HyperbolicTangent, type, {step});
    return step;
}

/// The loops over a library's result: [outer, channels, inner] with the bias along the second.
struct ResultLoops {
    Shape loops;
    AffineIndex made;   ///< where the library puts it: rows may be longer than what they hold
    AffineIndex result; ///< the same without gaps
};

/// Empty: its rows are in pieces.
std::optional<ResultLoops> resultLoops(const FusedKernel &anchor, const BufferLayout &layout) {
    const bool isProduct = anchor.anchor == Anchor::Product;
    const Shape &sizes = anchor.loops;
    std::int64_t all = 1;
    for (std::size_t k = 0; k < anchor.outer; ++k)
        all *= sizes[k];
    const std::int64_t channels = isProduct ? sizes[anchor.outer - 1] : sizes[1];
    const bool isLast = isProduct || anchor.convolution.isChannelsLast;
    const std::int64_t outer = isLast ? all / channels : sizes[0];
    const std::int64_t inner = all / channels / outer;
    std::int64_t row = channels * inner;
    if (!layout.isDense()) {
        row = layout.memory.back();
        if (!isProduct || outer * row != elementCount(layout.memory))
            return std::nullopt;
    }
    return ResultLoops{{outer, channels, inner}, {0, {row, inner, 1}}, {0, {channels * inner, inner, 1}}};
}

bool isPlain(const FusedKernel &kernel) {
    return kernel.anchor == Anchor::None && !kernel.hasReductions() && kernel.stores.size() == 1;
}

/// What a pointwise kernel does to the one buffer, if a library can do that.
struct FoundEpilogue {
    Activation activation;
    std::optional<KernelLeaf> bias;  ///< one value a channel
    std::optional<KernelLeaf> added; ///< like the result
    bool isAddedLast = false;        ///< after the activation
    std::int64_t wideRow = 0; ///< channels that lie innermost where it goes, of which it makes some; 0: all
    std::int64_t offset = 0;  ///< of the first of them
};

/// All that a library may have, for a kernel with these numbers in it.
std::vector<Activation> possibleActivations(const FusedKernel &kernel) {
    std::vector<Activation> all;
    for (const EpilogueActivation kind :
         {EpilogueActivation::None, EpilogueActivation::Relu, EpilogueActivation::Elu,
          EpilogueActivation::HardSwish, EpilogueActivation::GeluTanh, EpilogueActivation::Gelu,
          EpilogueActivation::Silu, EpilogueActivation::Sigmoid, EpilogueActivation::Tanh})
        all.push_back({kind, 0});
    for (const KernelStep &step : kernel.steps)
        if (step.op == KernelOp::Number && step.number > 0)
            for (const EpilogueActivation kind :
                 {EpilogueActivation::LeakyRelu, EpilogueActivation::ClippedRelu})
                all.push_back({kind, step.number});
    return all;
}

/// Every way in which up to two buffers can come after the sum.
std::vector<FoundEpilogue> possibleEpilogues(const FusedKernel &kernel,
                                             const std::vector<KernelLeaf> &others) {
    using Leaf = std::optional<KernelLeaf>;
    std::vector<std::pair<Leaf, Leaf>> orders; // bias, what is added
    if (others.empty())
        orders = {{Leaf(), Leaf()}};
    if (others.size() == 1)
        orders = {{others[0], Leaf()}, {Leaf(), others[0]}};
    if (others.size() == 2)
        orders = {{others[0], others[1]}, {others[1], others[0]}};
    std::vector<FoundEpilogue> all;
    for (const Activation &activation : possibleActivations(kernel))
        for (const auto &[bias, added] : orders) {
            all.push_back({activation, bias, added});
            if (added && activation.kind != EpilogueActivation::None)
                all.push_back({activation, bias, added, true});
        }
    return all;
}

/// All of it on top of a step, in the order of the members.
int withEpilogue(FusedKernel &kernel, int step, const FoundEpilogue &found, ElementType type) {
    const auto plus = [&](int sum, const std::optional<KernelLeaf> &leaf) {
        return leaf ? kernel.add(KernelOp::Add, type, {sum, kernel.converted(kernel.load(*leaf), type)})
                    : sum;
    };
    step = plus(step, found.bias);
    if (!found.isAddedLast)
        step = plus(step, found.added);
    step = withActivation(kernel, step, found.activation, type);
    return found.isAddedLast ? plus(step, found.added) : step;
}

/// Signatures do not name buffers: which is read where is left to say.
bool readsTheSame(const FusedKernel &expected, const FusedKernel &kernel) {
    return std::all_of(expected.leaves.begin(), expected.leaves.end(), [&](const KernelLeaf &leaf) {
        return std::any_of(kernel.leaves.begin(), kernel.leaves.end(), [&](const KernelLeaf &other) {
            return other.buffer == leaf.buffer && other.address == leaf.address;
        });
    });
}

/// Channels that lie innermost, and all else in order around them; 0: it is another layout.
std::int64_t channelsInnermost(const BufferLayout &layout, std::size_t dimensions) {
    if (layout.strides.size() != dimensions || dimensions < 3 || layout.strides[1] != 1)
        return 0;
    return layout.strides.back();
}

/// Two others at the same addresses, as where a result has one place: which is which is not said.
bool readsAlike(const FusedKernel &kernel, int own) {
    for (std::size_t i = 0; i < kernel.leaves.size(); ++i)
        for (std::size_t k = i + 1; k < kernel.leaves.size(); ++k)
            if (kernel.leaves[i].buffer != own && kernel.leaves[k].buffer != own &&
                kernel.leaves[i].address == kernel.leaves[k].address)
                return true;
    return false;
}

/// `wanted`: how what the kernel makes lies.
std::optional<FoundEpilogue> epilogueOf(const FusedKernel &anchor, const BufferLayout &layout,
                                        const FusedKernel &kernel, const BufferLayout &wanted) {
    const std::optional<ResultLoops> space = resultLoops(anchor, layout);
    const KernelStore &made = anchor.stores[0];
    if (!space || kernel.stores[0].type != made.type)
        return std::nullopt;
    const bool isProduct = anchor.anchor == Anchor::Product;
    const bool isHalf = made.type == ElementType::Float16 || made.type == ElementType::BFloat16;
    std::vector<KernelLeaf> others;
    for (const KernelLeaf &leaf : kernel.leaves) {
        if (leaf.buffer == made.buffer)
            continue;
        if (leaf.address.offset != 0 && (isHalf || !isProduct))
            return std::nullopt; // a part of something, at an address of its own
        if (leaf.type != made.type)
            return std::nullopt;
        others.push_back(leaf);
    }
    const ElementType type = computedType(made.type);
    std::vector<AffineIndex> places = {space->result, space->made};
    // A part of a join that lies with channels last, from an aligned place on.
    const std::int64_t wideRow =
        !isProduct && anchor.convolution.isChannelsLast ? channelsInnermost(wanted, anchor.loops.size()) : 0;
    const AffineIndex &target = kernel.stores[0].address;
    if (wideRow > anchor.loops[1] && wideRow * bytesOf(made.type) % alignedBytes == 0 &&
        target.offset * bytesOf(made.type) % alignedBytes == 0)
        places = {{target.offset, {wideRow, 1, 1}}};
    for (FoundEpilogue found : possibleEpilogues(kernel, others)) {
        if (found.added && (found.added->address.offset != 0 || places.size() == 1))
            continue;
        if (found.bias)
            found.bias = KernelLeaf{
                found.bias->buffer, found.bias->type, {found.bias->address.offset, {0, 1, 0}}, {}, 0};
        for (const AffineIndex &stored : places) {
            FusedKernel expected;
            expected.device = kernel.device;
            expected.loops = space->loops;
            expected.outer = space->loops.size();
            const int result = expected.load({made.buffer, made.type, space->made, {}, 0});
            if (found.added)
                found.added = KernelLeaf{found.added->buffer, found.added->type, stored, {}, 0};
            const int step = withEpilogue(expected, result, found, type);
            expected.stores.push_back({step, kernel.stores[0].buffer, made.type, stored});
            expected.finish();
            if (expected.signature() != kernel.signature() || !readsTheSame(expected, kernel) ||
                readsAlike(expected, made.buffer))
                continue;
            if (places.size() == 1) {
                found.wideRow = wideRow;
                found.offset = target.offset;
            }
            return found;
        }
    }
    return std::nullopt;
}

bool canHave(const FusedKernel &anchor, const FoundEpilogue &found) {
    const EpilogueActivation activation = found.activation.kind;
    if (!found.bias && !found.added && activation == EpilogueActivation::None)
        return true;
    const bool isUsual = activation == EpilogueActivation::None || activation == EpilogueActivation::Relu;
    if (anchor.anchor == Anchor::Product) // one matrix, whole and by rows
        return anchor.loops.size() == 3 && anchor.stores[0].type != ElementType::Float64 &&
               (!found.added || activation == EpilogueActivation::None) &&
               (isUsual || activation == EpilogueActivation::GeluTanh);
    const ConvolutionSizes &sizes = anchor.convolution;
    if (sizes.isDepthwise()) // a kernel of ours
        return !found.added && (isUsual || activation == EpilogueActivation::GeluTanh);
    if (sizes.isTransposed || anchor.stores[0].type == ElementType::Float64)
        return false;
    // cuDNN brings kernels for a bias with ReLU or without. With channels last it adds another image as well,
    // and writes kernels for more; these fill its tiles where channels come in sixteens.
    if (isUsual && found.bias && !found.added)
        return true;
    // In its kernels of halves an error function takes longer than a pass.
    const bool isSlow = bytesOf(anchor.stores[0].type) == 2 && (activation == EpilogueActivation::Gelu ||
                                                                activation == EpilogueActivation::GeluTanh);
    return !isSlow && sizes.isChannelsLast && sizes.weight[0] / sizes.groups % leastChannels == 0 &&
           sizes.weight[1] % leastChannels == 0;
}

void put(FusedKernel &anchor, FoundEpilogue found, int buffer) {
    const ElementType type = computedType(anchor.stores[0].type);
    if (found.bias) {
        std::vector<std::int64_t> along(anchor.loops.size(), 0);
        along[anchor.anchor == Anchor::Product ? anchor.outer - 1 : 1] = 1;
        found.bias->address.steps = along;
    }
    if (found.added)
        found.added->address = anchor.stores[0].address;
    const auto first = static_cast<int>(anchor.leaves.size());
    anchor.stores[0].step = withEpilogue(anchor, anchor.stores[0].step, found, type);
    anchor.epilogue.activation = found.activation.kind;
    anchor.epilogue.number = found.activation.number;
    anchor.epilogue.bias = found.bias ? first : -1;
    anchor.epilogue.added = found.added ? static_cast<int>(anchor.leaves.size()) - 1 : -1;
    anchor.epilogue.isAddedLast = found.isAddedLast;
    anchor.stores[0].buffer = buffer;
    if (found.wideRow == 0)
        return;
    AffineIndex &address = anchor.stores[0].address;
    const std::int64_t own = anchor.loops[1];
    address.offset = found.offset;
    for (std::size_t d = 0; d < address.steps.size(); ++d)
        if (d != 1)
            address.steps[d] = address.steps[d] / own * found.wideRow;
}

/// Whether a store only copies the buffer, element by element to where it lay.
bool isCopyOf(const FusedKernel &kernel, const KernelStore &store, int buffer) {
    if (!isPlainLoad(kernel, store.step))
        return false;
    const KernelLeaf &leaf = kernel.leaves[static_cast<std::size_t>(kernel.step(store.step).leaf)];
    return leaf.buffer == buffer && leaf.type == store.type && leaf.address == store.address;
}

// What a library makes and a kernel only copies into a result is made there, and everyone else reads it
// there.
void foldCopy(KernelPlan &plan, std::size_t made) {
    const int buffer = plan.kernels[made].stores[0].buffer;
    const PlanBuffer &from = plan.buffers[static_cast<std::size_t>(buffer)];
    if (from.kind != PlanBuffer::Kind::Temporary || !from.layout.isDense())
        return;
    for (std::size_t i = made + 1; i < plan.kernels.size(); ++i) {
        FusedKernel &kernel = plan.kernels[i];
        const auto copy =
            std::find_if(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore &store) {
                return kernel.anchor == Anchor::None && isCopyOf(kernel, store, buffer);
            });
        if (copy == kernel.stores.end())
            continue;
        const int target = copy->buffer;
        kernel.stores.erase(copy);
        if (kernel.stores.empty())
            plan.kernels.erase(plan.kernels.begin() + static_cast<std::ptrdiff_t>(i));
        else
            kernel.finish();
        plan.kernels[made].stores[0].buffer = target;
        for (FusedKernel &reader : plan.kernels)
            for (KernelLeaf &leaf : reader.leaves)
                leaf.buffer = leaf.buffer == buffer ? target : leaf.buffer;
        return;
    }
}

/// Whether the kernel that alone reads the result of the one at `place` is gone.
bool foldEpilogue(KernelPlan &plan, std::size_t place) {
    FusedKernel &anchor = plan.kernels[place];
    if (anchor.anchor == Anchor::None || anchor.anchor == Anchor::Attention || !anchor.epilogue.isEmpty() ||
        anchor.stores.size() > 1 || isFinishedProduct(anchor) || isOwnConvolution(anchor))
        return false;
    const std::optional<std::size_t> readerPlace = onlyReader(plan, place);
    if (!readerPlace || !isPlain(plan.kernels[*readerPlace]))
        return false;
    const FusedKernel &reader = plan.kernels[*readerPlace];
    const BufferLayout &made = plan.buffers[static_cast<std::size_t>(anchor.stores[0].buffer)].layout;
    const int target = reader.stores[0].buffer;
    const BufferLayout &wanted = plan.buffers[static_cast<std::size_t>(target)].layout;
    const auto found = epilogueOf(anchor, made, reader, wanted);
    if (!found || !canHave(anchor, *found))
        return false;
    if (found->added && plan.choices.hasOwnProducts && joinProducts(plan, place))
        return true; // one product more, and none of both is written alone
    if (!made.isDense() && wanted.isDense() && bytesOf(anchor.stores[0].type) == 2 &&
        anchor.operations() >= leastOperations)
        return false;                        // its rows would begin where the matrix units' stores cannot
    if (!made.isDense() && wanted.isDense()) // its rows move together
        for (std::size_t k = 0; k + 2 < anchor.loops.size(); ++k)
            anchor.stores[0].address.steps[k] =
                anchor.stores[0].address.steps[k] / made.memory.back() * anchor.loops[anchor.outer - 1];
    put(anchor, *found, target);
    // Where the reader was, all that it reads is there.
    plan.kernels[*readerPlace] = std::move(anchor);
    plan.kernels.erase(plan.kernels.begin() + static_cast<std::ptrdiff_t>(place));
    return true;
}

} // namespace

bool foldEpilogueOfReader(KernelPlan &plan, std::size_t reader) {
    for (std::size_t maker = 0; maker < reader; ++maker)
        if (onlyReader(plan, maker) == reader && foldEpilogue(plan, maker))
            return true;
    return false;
}

void foldEpilogues(KernelPlan &plan) {
    for (std::size_t i = 0; i < plan.kernels.size();) {
        if (plan.kernels[i].anchor != Anchor::None)
            foldCopy(plan, i);
        if (!foldEpilogue(plan, i)) // else another one is there now
            ++i;
    }
}

} // namespace warpwright
