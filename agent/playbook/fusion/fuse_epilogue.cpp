// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/fuse_epilogue.h"

#include "agent/playbook/analysis/matmul_pattern.h"
#include "agent/playbook/fusion/fuse_matmuls.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/schedule/sm90_convolution.h"

#include <algorithm>
#include <numbers>

namespace warpwright {
namespace {

constexpr std::int64_t alignedBytes = 16;  ///< alignment of tensor core stores
constexpr std::int64_t leastChannels = 16; ///< from which NHWC kernels are not slower than another pass
constexpr double leastOperations = 1e9;    ///< of a matmul that is worth another pass

constexpr double hardSwishWidth = 6;

/// An activation, with its parameters.
struct Activation {
    EpilogueActivation kind = EpilogueActivation::None;
    double number = 0;
};

int withActivation(Kernel &kernel, int step, const Activation &what, ElementType type) {
    const EpilogueActivation activation = what.kind;
    const auto number = [&](double value) {
        return kernel.number(value, type);
    };
    const auto times = [&](int a, int b) {
        return kernel.add(Opcode::Multiply, type, {a, b});
    };
    if (activation == EpilogueActivation::Relu)
        return kernel.add(Opcode::Maximum, type, {step, number(0)});
    if (activation == EpilogueActivation::ClippedRelu)
        return kernel.add(Opcode::Minimum, type,
                          {kernel.add(Opcode::Maximum, type, {step, number(0)}), number(what.number)});
    if (activation == EpilogueActivation::HardSwish) {
        const int moved = kernel.add(Opcode::Add, type, {step, number(3)});
        const int factor =
            withActivation(kernel, moved, {EpilogueActivation::ClippedRelu, hardSwishWidth}, type);
        return kernel.add(Opcode::Divide, type, {times(factor, step), number(hardSwishWidth)});
    }
    if (activation == EpilogueActivation::LeakyRelu || activation == EpilogueActivation::Elu) {
        const int isPositive = kernel.add(Opcode::Less, ElementType::Bool, {number(0), step});
        const int negative = activation == EpilogueActivation::Elu ? kernel.add(Opcode::Expm1, type, {step})
                                                                   : times(step, number(what.number));
        return kernel.add(Opcode::Select, type, {isPositive, step, negative});
    }
    if (activation == EpilogueActivation::GeluTanh) {
        // As torch decomposes it: h / 2 * (1 + tanh(sqrt(2 / pi) * (h + 0.044715 * h^3))).
        const double rootTwoOverPi = std::numbers::sqrt2 * std::numbers::inv_sqrtpi * 2 * 0.5;
        const int cube = times(times(step, step), step);
        const int inner = times(kernel.add(Opcode::Add, type, {step, times(cube, number(0.044715))}),
                                number(rootTwoOverPi));
        const int tangent = kernel.add(Opcode::Tanh, type, {inner});
        return times(times(step, number(0.5)), kernel.add(Opcode::Add, type, {tangent, number(1)}));
    }
    if (activation == EpilogueActivation::Gelu) {
        const int error = kernel.add(Opcode::Erf, type, {times(step, number(std::numbers::sqrt2 / 2))});
        return times(times(step, number(0.5)), kernel.add(Opcode::Add, type, {error, number(1)}));
    }
    if (activation == EpilogueActivation::Silu)
        return times(step, kernel.add(Opcode::Sigmoid, type, {step}));
    if (activation == EpilogueActivation::Sigmoid)
        return kernel.add(Opcode::Sigmoid, type, {step});
    if (activation == EpilogueActivation::Tanh)
        return kernel.add(Opcode::Tanh, type, {step});
    return step;
}

/// The loops over a library's result: [outer, channels, inner] with the bias along the second.
struct ResultLoops {
    Shape loops;
    AffineExpr made;   ///< where the library writes it: rows may have a larger pitch
    AffineExpr result; ///< the same without gaps
};

bool hasChannelsLast(const Kernel &kernel) {
    return kernel.isConvolution() && kernel.convolution()->sizes.isChannelsLast;
}

/// Empty: its rows are not contiguous.
std::optional<ResultLoops> resultLoops(const Kernel &structuredOp, const TensorLayout &layout) {
    const bool isMatmul = structuredOp.isMatmul();
    const Shape &sizes = structuredOp.loops;
    if (sizes.size() < 2) // one sorted row
        return std::nullopt;
    std::int64_t all = 1;
    for (std::size_t k = 0; k < structuredOp.outer; ++k)
        all *= sizes[k];
    const std::int64_t channels = isMatmul ? sizes[structuredOp.outer - 1] : sizes[1];
    const bool isLast = isMatmul || hasChannelsLast(structuredOp);
    const std::int64_t outer = isLast ? all / channels : sizes[0];
    const std::int64_t inner = all / channels / outer;
    std::int64_t row = channels * inner;
    if (!layout.isDense()) {
        row = layout.memory.back();
        if (!isMatmul || outer * row != elementCount(layout.memory))
            return std::nullopt;
    }
    return ResultLoops{{outer, channels, inner}, {0, {row, inner, 1}}, {0, {channels * inner, inner, 1}}};
}

bool isPlain(const Kernel &kernel) {
    return kernel.isLoops() && !kernel.hasReductions() && kernel.stores.size() == 1;
}

/// What a pointwise kernel does to one buffer, if a library's epilogue can do it.
struct EpilogueMatch {
    Activation activation;
    std::optional<KernelInput> bias;  ///< one value per channel
    std::optional<KernelInput> added; ///< shaped like the result
    bool isAddedLast = false;         ///< after the activation
    std::int64_t concatChannels =
        0;                   ///< innermost channels of the destination, of which it makes some; 0: all
    std::int64_t offset = 0; ///< of the first of them
};

/// All activations that a library may have, for a kernel with these constants.
std::vector<Activation> possibleActivations(const Kernel &kernel) {
    std::vector<Activation> all;
    for (const EpilogueActivation kind :
         {EpilogueActivation::None, EpilogueActivation::Relu, EpilogueActivation::Elu,
          EpilogueActivation::HardSwish, EpilogueActivation::GeluTanh, EpilogueActivation::Gelu,
          EpilogueActivation::Silu, EpilogueActivation::Sigmoid, EpilogueActivation::Tanh})
        all.push_back({kind, 0});
    for (const KernelStep &step : kernel.steps)
        if (step.op == Opcode::Number && step.number > 0)
            for (const EpilogueActivation kind :
                 {EpilogueActivation::LeakyRelu, EpilogueActivation::ClippedRelu})
                all.push_back({kind, step.number});
    return all;
}

/// Every way in which up to two buffers can follow the sum.
std::vector<EpilogueMatch> possibleEpilogues(const Kernel &kernel, const std::vector<KernelInput> &others) {
    using Input = std::optional<KernelInput>;
    std::vector<std::pair<Input, Input>> orders; // bias, what is added
    if (others.empty())
        orders = {{Input(), Input()}};
    if (others.size() == 1)
        orders = {{others[0], Input()}, {Input(), others[0]}};
    if (others.size() == 2)
        orders = {{others[0], others[1]}, {others[1], others[0]}};
    std::vector<EpilogueMatch> all;
    for (const Activation &activation : possibleActivations(kernel))
        for (const auto &[bias, added] : orders) {
            all.push_back({activation, bias, added});
            if (added && activation.kind != EpilogueActivation::None)
                all.push_back({activation, bias, added, true});
        }
    return all;
}

/// Appends bias, addend and activation after a step, in the order of the members.
int withEpilogue(Kernel &kernel, int step, const EpilogueMatch &found, ElementType type) {
    const auto plus = [&](int sum, const std::optional<KernelInput> &input) {
        return input ? kernel.add(Opcode::Add, type, {sum, kernel.converted(kernel.load(*input), type)})
                     : sum;
    };
    step = plus(step, found.bias);
    if (!found.isAddedLast)
        step = plus(step, found.added);
    step = withActivation(kernel, step, found.activation, type);
    return found.isAddedLast ? plus(step, found.added) : step;
}

/// Signatures do not name buffers: compare which input reads which.
bool readsTheSame(const Kernel &expected, const Kernel &kernel) {
    return std::all_of(expected.inputs.begin(), expected.inputs.end(), [&](const KernelInput &input) {
        return std::any_of(kernel.inputs.begin(), kernel.inputs.end(), [&](const KernelInput &other) {
            return other.buffer == input.buffer && other.address == input.address;
        });
    });
}

/// Number of innermost channels, with all other dimensions in order around them; 0: another layout.
std::int64_t channelsInnermost(const TensorLayout &layout, std::size_t dimensions) {
    if (layout.strides.size() != dimensions || dimensions < 3 || layout.strides[1] != 1)
        return 0;
    return layout.strides.back();
}

/// Two other inputs have the same address (say, of a single result): which is which is ambiguous.
bool readsAlike(const Kernel &kernel, int own) {
    for (std::size_t i = 0; i < kernel.inputs.size(); ++i)
        for (std::size_t k = i + 1; k < kernel.inputs.size(); ++k)
            if (kernel.inputs[i].buffer != own && kernel.inputs[k].buffer != own &&
                kernel.inputs[i].address == kernel.inputs[k].address)
                return true;
    return false;
}

/// `wanted`: the layout of the consumer's result.
std::optional<EpilogueMatch> epilogueOf(const Kernel &structuredOp, const TensorLayout &layout,
                                        const Kernel &kernel, const TensorLayout &wanted) {
    const std::optional<ResultLoops> space = resultLoops(structuredOp, layout);
    const KernelStore &made = structuredOp.stores[0];
    if (!space || kernel.stores[0].type != made.type)
        return std::nullopt;
    const bool isMatmul = structuredOp.isMatmul();
    const bool isHalf = made.type == ElementType::Float16 || made.type == ElementType::BFloat16;
    std::vector<KernelInput> others;
    for (const KernelInput &input : kernel.inputs) {
        if (input.buffer == made.buffer)
            continue;
        if (input.address.offset != 0 && (isHalf || !isMatmul))
            return std::nullopt; // a slice, at an address of its own
        if (input.type != made.type)
            return std::nullopt;
        others.push_back(input);
    }
    const ElementType type = computeType(made.type);
    std::vector<AffineExpr> positions = {space->result, space->made};
    // A slice of an NHWC concatenation that begins at an aligned address.
    const std::int64_t concatChannels =
        hasChannelsLast(structuredOp) ? channelsInnermost(wanted, structuredOp.loops.size()) : 0;
    const AffineExpr &target = kernel.stores[0].address;
    if (concatChannels > structuredOp.loops[1] && concatChannels * bytesOf(made.type) % alignedBytes == 0 &&
        target.offset * bytesOf(made.type) % alignedBytes == 0)
        positions = {{target.offset, {concatChannels, 1, 1}}};
    for (EpilogueMatch found : possibleEpilogues(kernel, others)) {
        if (found.added && (found.added->address.offset != 0 || positions.size() == 1))
            continue;
        if (found.bias)
            found.bias = KernelInput{
                found.bias->buffer, found.bias->type, {found.bias->address.offset, {0, 1, 0}}, {}, 0};
        for (const AffineExpr &stored : positions) {
            Kernel expected;
            expected.device = kernel.device;
            expected.loops = space->loops;
            expected.outer = space->loops.size();
            const int result = expected.load({made.buffer, made.type, space->made, {}, 0});
            if (found.added)
                found.added = KernelInput{found.added->buffer, found.added->type, stored, {}, 0};
            const int step = withEpilogue(expected, result, found, type);
            expected.stores.push_back({step, kernel.stores[0].buffer, made.type, stored});
            expected.finish();
            if (expected.signature() != kernel.signature() || !readsTheSame(expected, kernel) ||
                readsAlike(expected, made.buffer))
                continue;
            if (positions.size() == 1) {
                found.concatChannels = concatChannels;
                found.offset = target.offset;
            }
            return found;
        }
    }
    return std::nullopt;
}

bool isSupported(const Kernel &structuredOp, const EpilogueMatch &found) {
    const EpilogueActivation activation = found.activation.kind;
    if (!found.bias && !found.added && activation == EpilogueActivation::None)
        return true;
    const bool isUsual = activation == EpilogueActivation::None || activation == EpilogueActivation::Relu;
    if (structuredOp.isMatmul()) // one whole row-major matrix
        return structuredOp.loops.size() == 3 && structuredOp.stores[0].type != ElementType::Float64 &&
               (!found.added || activation == EpilogueActivation::None) &&
               (isUsual || activation == EpilogueActivation::GeluTanh);
    if (!structuredOp.isConvolution())
        return false;
    const ConvolutionSizes &sizes = structuredOp.convolution()->sizes;
    if (sizes.isDepthwise()) // a kernel of ours
        return !found.added && (isUsual || activation == EpilogueActivation::GeluTanh);
    if (sizes.isTransposed || structuredOp.stores[0].type == ElementType::Float64)
        return false;
    // cuDNN ships kernels for bias with or without ReLU. With NHWC it also adds another tensor, and generates
    // kernels for more; these fill its tiles only with multiples of 16 channels.
    if (isUsual && found.bias && !found.added)
        return true;
    // In cuDNN's FP16 kernels erf takes longer than another pass.
    const bool isSlow =
        bytesOf(structuredOp.stores[0].type) == 2 &&
        (activation == EpilogueActivation::Gelu || activation == EpilogueActivation::GeluTanh);
    return !isSlow && sizes.isChannelsLast && sizes.weight[0] / sizes.groups % leastChannels == 0 &&
           sizes.weight[1] % leastChannels == 0;
}

void applyEpilogue(Kernel &structuredOp, EpilogueMatch found, int buffer) {
    const ElementType type = computeType(structuredOp.stores[0].type);
    if (found.bias) {
        std::vector<std::int64_t> along(structuredOp.loops.size(), 0);
        along[structuredOp.isMatmul() ? structuredOp.outer - 1 : 1] = 1;
        found.bias->address.steps = along;
    }
    if (found.added)
        found.added->address = structuredOp.stores[0].address;
    const auto first = static_cast<int>(structuredOp.inputs.size());
    structuredOp.stores[0].step = withEpilogue(structuredOp, structuredOp.stores[0].step, found, type);
    if (Epilogue *epilogue = structuredOp.epilogue()) // else it is only copied
        *epilogue = {found.bias ? first : -1,
                     found.added ? static_cast<int>(structuredOp.inputs.size()) - 1 : -1, found.isAddedLast,
                     found.activation.kind, found.activation.number};
    structuredOp.stores[0].buffer = buffer;
    if (found.concatChannels == 0)
        return;
    AffineExpr &address = structuredOp.stores[0].address;
    const std::int64_t own = structuredOp.loops[1];
    address.offset = found.offset;
    for (std::size_t d = 0; d < address.steps.size(); ++d)
        if (d != 1)
            address.steps[d] = address.steps[d] / own * found.concatChannels;
}

/// Whether a store only copies the buffer element by element, in its layout.
bool isCopyOf(const Kernel &kernel, const KernelStore &store, int buffer) {
    if (!isPlainLoad(kernel, store.step))
        return false;
    const KernelInput &input = kernel.inputs[static_cast<std::size_t>(kernel.step(store.step).input)];
    return input.buffer == buffer && input.type == store.type && input.address == store.address;
}

// What a library produces and a kernel only copies into a result is written there directly, and every other
// consumer reads it there.
void fuseCopy(Program &program, std::size_t made) {
    const int buffer = program.kernels[made].stores[0].buffer;
    const ProgramBuffer &from = program.buffers[static_cast<std::size_t>(buffer)];
    if (from.kind != ProgramBuffer::Kind::Temporary || !from.layout.isDense())
        return;
    for (std::size_t i = made + 1; i < program.kernels.size(); ++i) {
        Kernel &kernel = program.kernels[i];
        const auto copy =
            std::find_if(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore &store) {
                return kernel.isLoops() && isCopyOf(kernel, store, buffer);
            });
        if (copy == kernel.stores.end())
            continue;
        const int target = copy->buffer;
        kernel.stores.erase(copy);
        if (kernel.stores.empty())
            program.kernels.erase(program.kernels.begin() + static_cast<std::ptrdiff_t>(i));
        else
            kernel.finish();
        program.kernels[made].stores[0].buffer = target;
        for (Kernel &consumer : program.kernels)
            for (KernelInput &input : consumer.inputs)
                input.buffer = input.buffer == buffer ? target : input.buffer;
        return;
    }
}

/// Whether the only consumer of the kernel at `position` is gone.
bool fuseEpilogue(Program &program, std::size_t position) {
    Kernel &structuredOp = program.kernels[position];
    if (structuredOp.isLoops() || structuredOp.isAttention() || structuredOp.hasEpilogue() ||
        structuredOp.stores.size() > 1 || hasFusedEpilogue(structuredOp) || isSm90Convolution(structuredOp))
        return false;
    const std::optional<std::size_t> consumerPosition = onlyConsumer(program, position);
    if (!consumerPosition || !isPlain(program.kernels[*consumerPosition]))
        return false;
    const Kernel &consumer = program.kernels[*consumerPosition];
    const TensorLayout &made =
        program.buffers[static_cast<std::size_t>(structuredOp.stores[0].buffer)].layout;
    const int target = consumer.stores[0].buffer;
    const TensorLayout &wanted = program.buffers[static_cast<std::size_t>(target)].layout;
    const auto found = epilogueOf(structuredOp, made, consumer, wanted);
    if (!found || !isSupported(structuredOp, *found))
        return false;
    if (found->added && program.choices.hasSm90Matmuls && fuseMatmuls(program, position))
        return true; // one more matmul, and neither is written by itself
    if (!made.isDense() && wanted.isDense() && bytesOf(structuredOp.stores[0].type) == 2 &&
        structuredOp.operations() >= leastOperations)
        return false;                        // its rows would be misaligned for tensor core stores
    if (!made.isDense() && wanted.isDense()) // its rows become contiguous
        for (std::size_t k = 0; k + 2 < structuredOp.loops.size(); ++k)
            structuredOp.stores[0].address.steps[k] = structuredOp.stores[0].address.steps[k] /
                                                      made.memory.back() *
                                                      structuredOp.loops[structuredOp.outer - 1];
    applyEpilogue(structuredOp, *found, target);
    // At the consumer's position all inputs are ready.
    program.kernels[*consumerPosition] = std::move(structuredOp);
    program.kernels.erase(program.kernels.begin() + static_cast<std::ptrdiff_t>(position));
    return true;
}

} // namespace

bool fuseEpilogueOfConsumer(Program &program, std::size_t consumer) {
    for (std::size_t producer = 0; producer < consumer; ++producer)
        if (onlyConsumer(program, producer) == consumer && fuseEpilogue(program, producer))
            return true;
    return false;
}

void fuseEpilogues(Program &program) {
    for (std::size_t i = 0; i < program.kernels.size();) {
        if (!program.kernels[i].isLoops())
            fuseCopy(program, i);
        if (!fuseEpilogue(program, i)) // else another kernel is at i now
            ++i;
    }
}

} // namespace warpwright
