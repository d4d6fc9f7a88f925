// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/lower_reduction.h"

#include "agent/playbook/lowering/reduction_domain.h"

namespace warpwright {

int lowerReduction(LoweringContext &context, const NodeAt &at) {
    const QString &op = at.opName;
    const bool isTruth = op == QLatin1String("any") || op == QLatin1String("all");
    const Opcode reduction =
        op == QLatin1String("sum")    ? Opcode::RowSum
        : op == QLatin1String("prod") ? Opcode::RowProduct
        : op == QLatin1String("amax") || op == QLatin1String("max") || op == QLatin1String("any")
            ? Opcode::RowMaximum
            : Opcode::RowMinimum;
    const GraphNode &value = context.nodeAt(at.result);
    const std::optional<ReductionDomain> row = reductionDomain(context, at);
    const int sum =
        row ? reduce(context, *row, reduction, isTruth ? ElementType::Bool : computeType(value.type)) : -1;
    if (sum < 0)
        return -1;
    if (!row->digits)
        return sum;
    // It may be the sum times a factor that all elements share, or made of several sums.
    std::vector<int> open{sum};
    while (!open.empty()) {
        const KernelStep &step = context.kernel().step(open.back());
        const int number = open.back();
        open.pop_back();
        if (isReduction(step.op))
            context.addReduction(number, at.result);
        else if (step.level < StepLevel::Column)
            open.insert(open.end(), step.operands.begin(), step.operands.end());
    }
    return sum;
}

// A mean, or a two-pass variance: the sum of the elements, then of their squared deviations from the mean.
// One sum of squares would be faster but cancels where the mean is large.
int lowerMoment(LoweringContext &context, const NodeAt &at, bool isVariance) {
    Kernel &kernel = context.kernel();
    const ElementType type = computeType(context.nodeAt(at.result).type);
    const std::optional<ReductionDomain> row = reductionDomain(context, at);
    const int sum = row ? reduce(context, *row, Opcode::RowSum, type) : -1;
    if (sum < 0)
        return -1;
    const auto count = static_cast<double>(elementCount(row->reduced));
    const int mean = kernel.add(Opcode::Divide, type, {sum, kernel.number(count, type)});
    if (!isVariance)
        return mean;
    const GraphArgument *correction = at.node.argument(-1, "correction");
    const double lost =
        correction != nullptr && correction->kind == GraphArgument::Kind::Number ? correction->number : 1;
    const int squares = reduce(context, *row, Opcode::RowSum, type, [&](int element) {
        const int deviation = kernel.add(Opcode::Subtract, type, {element, mean});
        return kernel.add(Opcode::Multiply, type, {deviation, deviation});
    });
    return squares < 0 ? -1 : kernel.add(Opcode::Divide, type, {squares, kernel.number(count - lost, type)});
}

} // namespace warpwright
