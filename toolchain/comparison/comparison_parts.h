// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/comparison/comparison_values.h"
#include "toolchain/tool_output/kernel_code.h"

#include <map>

/// The parts of compareStates(): each adds its rows, and what it could not compare.
namespace warpwright {

/// Items of both sides that belong together; -1: that side has none.
struct KernelPair {
    int left = -1;
    int right = -1;

    bool operator==(const KernelPair &) const = default;
};
/// By name, each once and in the order of `right`, then those that are gone. `byRank`: what is left over on
/// both sides is paired in its order, for a baseline has other kernels: the longest first, says the caller.
[[nodiscard]] std::vector<KernelPair> pairKernels(const QStringList &left, const QStringList &right,
                                                  bool byRank);
/// "softmaxRows<512>", of two names "a → b"
[[nodiscard]] QString pairName(const QString &left, const QString &right);

/// Exact numbers: any difference counts. `unit`: behind the texts, too.
void setCounts(ComparisonRow &row, const std::optional<double> &left, const std::optional<double> &right,
               const QString &unit = {});

void addVerdicts(StateComparison &comparison, const ComparedState &left, const ComparedState &right);
void addTimes(StateComparison &comparison, const ComparedState &left, const ComparedState &right);
void addFindings(StateComparison &comparison, const ComparedState &left, const ComparedState &right);
void addResources(StateComparison &comparison, const ComparedState &left, const ComparedState &right);
void addCode(StateComparison &comparison, const ComparedState &left, const ComparedState &right);
void addCounters(StateComparison &comparison, const ComparedState &left, const ComparedState &right);

} // namespace warpwright
