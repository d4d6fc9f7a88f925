// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/verification/stress_inputs.h"

#include "referee/base/value_tree.h"
#include "referee/comparison/judged_tensor.h"
#include "referee/device/ceilings.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>

#include <limits>
#include <random>

namespace warpwright {

namespace {

constexpr int64_t parts = 8;

void stressScales(const at::Tensor &part, int64_t kind) {
    switch (kind) {
    case 1:
        part.mul_(0x1p-10);
        break;
    case 2:
        part.mul_(0x1p10);
        break;
    case 3: // denormal in float32
        part.mul_(part.scalar_type() == at::kHalf ? 0x1p-16 : 0x1p-130);
        break;
    case 4: // heavy tails: few values are large
        part.copy_(part * part.abs() * part.abs());
        break;
    case 5:
        part.fill_(0.0);
        break;
    case 6:
        part.fill_(3.0);
        break;
    case 7: // a large mean and a small spread
        part.add_(100.0);
        break;
    default:
        break;
    }
}

void stressSpecials(const at::Tensor &part, int64_t kind, std::mt19937_64 &random) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double values[parts] = {
        0.0, std::numeric_limits<double>::quiet_NaN(), infinity, -infinity, 0.0, 0.0, 0.0, 0.0};
    if (values[kind] == 0.0)
        return;
    for (int i = 0; i < 3; ++i) {
        const auto at = static_cast<int64_t>(random() % static_cast<uint64_t>(part.numel()));
        part.slice(0, at, at + 1).fill_(values[kind]);
    }
}

} // namespace

const char *describe(Stress stress) {
    switch (stress) {
    case Stress::Scales:
        return "other scales, denormal numbers, heavy tails, constants";
    case Stress::Specials:
        return "NaN and infinities";
    case Stress::WholeNumbers:
        return "larger whole numbers, which the reference takes";
    case Stress::Constants:
        return "other values of a mask, lengths or factors that are always the same";
    }
    return "";
}

bool stretchWholeNumbers(const Json &tree, const SharedRegion &inputs, int64_t factor, uint64_t seed) {
    std::mt19937_64 random(seed);
    bool hasChanged = false;
    for (const ValueLeaf &leaf : leavesOf(tree, "input")) {
        const std::string dtype = leaf.isTensor() ? leaf.node.value("dtype", "") : "";
        if ((dtype != "int64" && dtype != "int32" && dtype != "int16") || hasWindows(leaf.node))
            continue;
        const at::Tensor tensor =
            tensorAt(withoutRepeats(leaf.node), inputs.base(), inputs.bytes(), inputs.kind());
        if (tensor.numel() == 0 || tensor.min().item<int64_t>() == -1)
            continue; // a place that stands for none
        const int64_t largest = std::max(tensor.max().item<int64_t>(), -tensor.min().item<int64_t>());
        const int64_t held = dtype == "int16" ? 0x7fff : 0x7fffffff; // in int64, products of two fit
        if (largest == 0 || largest >= held / factor)
            continue;
        tensor.mul_(factor).add_(static_cast<int64_t>(random() % static_cast<uint64_t>(factor)));
        hasChanged = true;
    }
    idle(inputs.kind());
    return hasChanged;
}

bool stressInputs(const Json &tree, const SharedRegion &inputs, Stress stress, uint64_t seed) {
    std::mt19937_64 random(seed);
    bool hasChanged = false;
    for (const ValueLeaf &leaf : leavesOf(tree, "input")) {
        if (!leaf.isTensor() || !isPlainFloat(leaf.node.value("dtype", "")))
            continue;
        const at::Tensor tensor =
            tensorAt(withoutRepeats(leaf.node), inputs.base(), inputs.bytes(), inputs.kind());
        if (tensor.numel() < parts || hasWindows(leaf.node))
            continue;
        // In memory order, whatever the strides, where it is dense.
        const bool isDense = tensor.is_non_overlapping_and_dense();
        const at::Tensor flat =
            isDense ? tensor.as_strided({tensor.numel()}, {1}) : tensor.reshape({-1}).clone();
        const int64_t length = tensor.numel() / parts;
        for (int64_t part = 0; part < parts; ++part) {
            const at::Tensor piece = flat.slice(0, part * length, (part + 1) * length);
            if (stress == Stress::Scales)
                stressScales(piece, part);
            else
                stressSpecials(piece, part, random);
        }
        if (!isDense)
            tensor.copy_(flat.view(tensor.sizes()));
        hasChanged = true;
    }
    idle(inputs.kind());
    return hasChanged;
}

} // namespace warpwright
