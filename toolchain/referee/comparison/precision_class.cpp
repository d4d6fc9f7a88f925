// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/comparison/precision_class.h"

#include "referee/base/value_tree.h"

#include <algorithm>
#include <iterator>

namespace warpwright {

int rankOf(const std::string &precision) {
    static const char *const names[] = {"FP64", "FP32", "TF32", "FP16", "BF16"};
    const auto *found = std::find(std::begin(names), std::end(names), precision);
    return static_cast<int>(found - std::begin(names));
}

std::string classOfTypes(const Json &tree) {
    std::string lowest = "FP32";
    bool isDouble = false;
    for (const ValueLeaf &leaf : leavesOf(tree, "")) {
        const std::string type = leaf.node.value("dtype", "");
        if (type == "bfloat16")
            return "BF16";
        if (type == "float16")
            lowest = "FP16";
        isDouble = isDouble || type == "float64";
    }
    return lowest == "FP32" && isDouble ? "FP64" : lowest;
}

} // namespace warpwright
