// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/single_pass_variance.h"

#include "agent/playbook/analysis/moment_pattern.h"

namespace warpwright {
namespace {

struct Moments {
    int sum = -1;
    int squares = -1;
    int element = -1;
};

std::optional<Moments> momentsOf(const Kernel &kernel) {
    for (std::size_t i = 0; i < kernel.steps.size(); ++i) {
        const KernelStep &squares = kernel.steps[i];
        if (squares.op != Opcode::RowSum || squares.type != ElementType::Float32)
            continue;
        const KernelStep &square = kernel.step(squares.operands[0]);
        if (square.op != Opcode::Multiply || square.operands[0] != square.operands[1])
            continue;
        const KernelStep &difference = kernel.step(square.operands[0]);
        if (difference.op != Opcode::Subtract)
            continue;
        const int element = difference.operands[0];
        const KernelStep &mean = kernel.step(difference.operands[1]);
        for (const int sum : mean.operands)
            if (kernel.step(sum).op == Opcode::RowSum && kernel.step(sum).type == ElementType::Float32 &&
                kernel.step(sum).operands[0] == element && isMeanOf(kernel, mean, sum))
                return Moments{sum, static_cast<int>(i), element};
    }
    return std::nullopt;
}

} // namespace

std::optional<Kernel> withSinglePassVariance(const Kernel &kernel) {
    const std::optional<Moments> moments = momentsOf(kernel);
    if (!moments)
        return std::nullopt;
    Kernel once = kernel;
    once.steps.clear();
    std::vector<int> positions;
    int sum = -1;
    const ElementType wide = ElementType::Float64;
    const auto sumOf = [&](int what) {
        return once.add(Opcode::RowSum, wide, {what});
    };
    for (std::size_t i = 0; i < kernel.steps.size(); ++i) {
        KernelStep step = kernel.steps[i];
        for (int &operand : step.operands)
            operand = positions[static_cast<std::size_t>(operand)];
        const int number = static_cast<int>(i);
        if (number != moments->sum && number != moments->squares) {
            positions.push_back(once.append(std::move(step)));
            continue;
        }
        const int element = once.converted(positions[static_cast<std::size_t>(moments->element)], wide);
        int made = -1;
        if (number == moments->sum) {
            made = sum = sumOf(element);
        } else {
            const int squares = sumOf(once.add(Opcode::Multiply, wide, {element, element}));
            const int share = once.add(Opcode::Divide, wide,
                                       {once.add(Opcode::Multiply, wide, {sum, sum}),
                                        once.number(static_cast<double>(kernel.columns()), wide)});
            made = once.add(Opcode::Maximum, wide,
                            {once.add(Opcode::Subtract, wide, {squares, share}), once.number(0, wide)});
        }
        positions.push_back(once.converted(made, ElementType::Float32));
    }
    for (KernelStore &store : once.stores)
        store.step = positions[static_cast<std::size_t>(store.step)];
    once.finish();
    return once.passCount() < kernel.passCount() ? std::optional(once) : std::nullopt;
}

} // namespace warpwright
