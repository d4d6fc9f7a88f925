// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/reduction_lowering.h"

#include "agent/playbook/lowering/reduced_rows.h"

namespace warpwright {

int lowerReduction(LoweringContext &context, const NodeAt &at) {
    const QString &op = at.word;
    const bool isTruth = op == QLatin1String("any") || op == QLatin1String("all");
    const KernelOp reduction =
        op == QLatin1String("sum")    ? KernelOp::RowSum
        : op == QLatin1String("prod") ? KernelOp::RowProduct
        : op == QLatin1String("amax") || op == QLatin1String("max") || op == QLatin1String("any")
            ? KernelOp::RowMaximum
            : KernelOp::RowMinimum;
    const GraphNode &value = context.nodeAt(at.result);
    const std::optional<ReducedRow> row = reducedRow(context, at);
    const int sum =
        row ? reduce(context, *row, reduction, isTruth ? ElementType::Bool : computedType(value.type)) : -1;
    if (sum < 0)
        return -1;
    if (!row->digits)
        return sum;
    // It may be the sum times what all its elements share, or several of them.
    std::vector<int> open{sum};
    while (!open.empty()) {
        const KernelStep &step = context.kernel().step(open.back());
        const int number = open.back();
        open.pop_back();
        if (isReduction(step.op))
            context.addSum(number, at.result);
        else if (step.level < StepLevel::Column)
            open.insert(open.end(), step.operands.begin(), step.operands.end());
    }
    return sum;
}

// A mean, or a variance in two sums: of the elements, and of the squares of what they differ from their mean.
// One sum of squares would be faster and lose most of its digits where the mean is large.
int lowerMoment(LoweringContext &context, const NodeAt &at, bool isVariance) {
    FusedKernel &kernel = context.kernel();
    const ElementType type = computedType(context.nodeAt(at.result).type);
    const std::optional<ReducedRow> row = reducedRow(context, at);
    const int sum = row ? reduce(context, *row, KernelOp::RowSum, type) : -1;
    if (sum < 0)
        return -1;
    const auto count = static_cast<double>(elementCount(row->reduced));
    const int mean = kernel.add(KernelOp::Divide, type, {sum, kernel.number(count, type)});
    if (!isVariance)
        return mean;
    const GraphArgument *correction = at.node.argument(-1, "correction");
    const double lost =
        correction != nullptr && correction->kind == GraphArgument::Kind::Number ? correction->number : 1;
    const int squares = reduce(context, *row, KernelOp::RowSum, type, [&](int element) {
        const int away = kernel.add(KernelOp::Subtract, type, {element, mean});
        return kernel.add(KernelOp::Multiply, type, {away, away});
    });
    return squares < 0 ? -1
                       : kernel.add(KernelOp::Divide, type, {squares, kernel.number(count - lost, type)});
}

} // namespace warpwright
