// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/inspect/inspection_comparison.h"

#include "toolchain/evaluation/evaluation_json.h"

#include <algorithm>

namespace warpwright {
namespace {

const InspectedKernel *at(const std::vector<InspectedKernel> &kernels, int index) {
    return index < 0 ? nullptr : &kernels[static_cast<std::size_t>(index)];
}

OrderedJson lineToJson(const InspectedKernel *kernel, int line) {
    if (kernel == nullptr || line < 0)
        return nullptr;
    const CodeLine &one = kernel->sass->lines[static_cast<std::size_t>(line)];
    return OrderedJson{{"address", one.address}, {"text", toJson(instructionText(one))}};
}

} // namespace

int ComparedKernel::count(ComparedCode::Kind kind) const {
    return static_cast<int>(std::count_if(rows.begin(), rows.end(),
                                          [kind](const ComparedCode &row) { return row.kind == kind; }));
}

std::vector<ComparedKernel> compareKernels(const std::vector<InspectedKernel> &before,
                                           const std::vector<InspectedKernel> &after) {
    std::vector<ComparedKernel> compared;
    std::vector<bool> isMatched(before.size(), false);
    for (std::size_t i = 0; i < after.size(); ++i) {
        ComparedKernel one;
        one.name = after[i].resources.name;
        one.after = static_cast<int>(i);
        for (std::size_t j = 0; j < before.size() && one.before < 0; ++j)
            if (!isMatched[j] && before[j].resources.name == one.name) {
                isMatched[j] = true;
                one.before = static_cast<int>(j);
                if (before[j].sass && after[i].sass)
                    one.rows = compareCode(*before[j].sass, *after[i].sass);
            }
        compared.push_back(std::move(one));
    }
    for (std::size_t j = 0; j < before.size(); ++j)
        if (!isMatched[j])
            compared.push_back({before[j].resources.name, static_cast<int>(j), -1, {}});
    return compared;
}

OrderedJson comparisonToJson(int iteration, const std::vector<InspectedKernel> &before,
                             const std::vector<InspectedKernel> &after) {
    OrderedJson kernels = OrderedJson::array();
    for (const ComparedKernel &one : compareKernels(before, after)) {
        const InspectedKernel *old = at(before, one.before);
        const InspectedKernel *now = at(after, one.after);
        OrderedJson rows = OrderedJson::array();
        for (const ComparedCode &row : one.rows) {
            if (row.kind == ComparedCode::Kind::Same)
                continue;
            const char *kind = row.kind == ComparedCode::Kind::Changed   ? "changed"
                               : row.kind == ComparedCode::Kind::Removed ? "removed"
                                                                         : "added";
            rows.push_back(OrderedJson{{"kind", kind},
                                       {"before", lineToJson(old, row.left)},
                                       {"after", lineToJson(now, row.right)}});
        }
        kernels.push_back(OrderedJson{{"name", toJson(one.name)},
                                      {"before", old ? kernelToJson(old->resources) : OrderedJson(nullptr)},
                                      {"after", now ? kernelToJson(now->resources) : OrderedJson(nullptr)},
                                      {"sameInstructions", one.count(ComparedCode::Kind::Same)},
                                      {"rows", std::move(rows)}});
    }
    return OrderedJson{{"iteration", iteration}, {"kernels", std::move(kernels)}};
}

} // namespace warpwright
