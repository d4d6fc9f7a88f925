// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"
#include "toolchain/inspect/inspection.h"
#include "toolchain/inspect/opcode_diff.h"

namespace warpwright {

/// A kernel of two texts: its numbers in both, and its SASS aligned by opcodes.
struct ComparedKernel {
    QString name;
    int before = -1;                ///< number among the kernels of the older text; -1: it is new
    int after = -1;                 ///< -1: it is gone
    std::vector<ComparedCode> rows; ///< none where one side has no SASS

    [[nodiscard]] int count(ComparedCode::Kind kind) const;
    bool operator==(const ComparedKernel &) const = default;
};

/// Kernels are matched by their names as a person reads them, for nvcc puts a hash of the file into the
/// mangled ones. In the order of `after`, then those that are gone.
[[nodiscard]] std::vector<ComparedKernel> compareKernels(const std::vector<InspectedKernel> &before,
                                                         const std::vector<InspectedKernel> &after);

/// The part `against` of warpwright.inspect/1. Rows that are the same are left out.
[[nodiscard]] OrderedJson comparisonToJson(int iteration, const std::vector<InspectedKernel> &before,
                                           const std::vector<InspectedKernel> &after);

} // namespace warpwright
