// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/verification/warm_up.h"

#include "referee/base/value_tree.h"
#include "referee/comparison/comparison.h"
#include "referee/comparison/judged_tensor.h"
#include "referee/task/fingerprint.h"
#include "referee/verification/stress_inputs.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/zeros.h>

#include <exception>
#include <set>

namespace warpwright {

namespace {

constexpr uint64_t elements = uint64_t{1} << 16; // enough for the paths that large tensors take

Json treeOf(const std::string &type) {
    return {{"kind", "tensor"}, {"dtype", type}, {"sizes", {elements}}, {"strides", {1}}, {"offset", 0u}};
}

void useAll(MemoryKind memory, const std::set<std::string> &types) {
    (void)at::zeros({1}, at::Device(at::kCUDA, 0)); // gives this thread the device's context
    const SharedRegion region(memory, elements * 16, "warm-up");
    for (const std::string &type : types) {
        const at::Tensor result = tensorAt(treeOf(type), region.base(), region.bytes(), memory);
        result.fill_(1);
        const at::Tensor oracle = result.is_floating_point() ? result.to(at::kDouble) : result.clone();
        (void)compareOutputs(result, result, result, oracle);
        (void)relativeDifference(oracle, oracle);
        (void)relativeDifference(result, result);
        (void)sameBits(result, result.clone());
        (void)stressInputs(treeOf(type), region, Stress::Scales, 1);
    }
    const at::Tensor bytes = tensorAt(treeOf("uint8"), region.base(), region.bytes(), memory);
    (void)at::equal(bytes, bytes.clone());
    (void)bytes.ne(0).sum().item<int64_t>();
    (void)fingerprint(region.base(), region.bytes(), memory);
}

} // namespace

WarmUp::WarmUp(MemoryKind memory, const Json &outputs) {
    if (memory == MemoryKind::Cpu)
        return;
    std::set<std::string> types;
    for (const ValueLeaf &leaf : leavesOf(outputs, "output")) {
        if (leaf.isTensor())
            types.insert(leaf.node.value("dtype", ""));
    }
    m_thread = std::jthread([memory, types] {
        try {
            useAll(memory, types);
        } catch (const std::exception &) {
            // A device without memory, say: whoever needs it says so.
        }
    });
}

void WarmUp::wait() {
    if (m_thread.joinable())
        m_thread.join();
}

} // namespace warpwright
