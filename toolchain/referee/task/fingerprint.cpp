// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/task/fingerprint.h"

#include "referee/base/keyed_hash.h"
#include "referee/base/secret_seed.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace warpwright {

namespace {

constexpr auto blockWords = static_cast<int64_t>(KeyedHash::blockWords);
constexpr int64_t blocksAtOnce = 2048; // 32 MiB: twice as much memory is needed for a moment
constexpr int64_t lowHalf = 0xffff'ffff;

const at::Device gpu(at::kCUDA, 0);

at::Tensor onGpu(const std::vector<uint64_t> &factors) {
    std::vector<int64_t> values(factors.begin(), factors.end()); // of the same bits
    return at::from_blob(values.data(), {static_cast<int64_t>(values.size())}, at::kLong).to(gpu);
}

// Of blocks that follow each other: factors of the lower and the upper half of their sums.
std::pair<at::Tensor, at::Tensor> factorsOf(const KeyedHash &hash, int64_t first, int64_t count) {
    std::vector<uint64_t> low;
    std::vector<uint64_t> high;
    for (auto block = static_cast<uint64_t>(first); block < static_cast<uint64_t>(first + count); ++block) {
        low.push_back(hash.lowFactor(block));
        high.push_back(hash.highFactor(block));
    }
    return {onGpu(low), onGpu(high)};
}

uint64_t onDevice(const KeyedHash &hash, uint64_t base, uint64_t bytes) {
    // Never destroyed: the device is gone before statics are.
    static const at::Tensor &key = *new at::Tensor(onGpu(hash.key()));
    static const auto &firstFactors = *new std::pair(factorsOf(hash, 0, blocksAtOnce));
    const auto blocks = static_cast<int64_t>(bytes / sizeof(int32_t)) / blockWords;
    const at::Tensor words = at::from_blob(reinterpret_cast<void *>(base), {blocks, blockWords},
                                           at::TensorOptions().dtype(at::kInt).device(gpu));
    at::Tensor sum = at::zeros({}, words.options().dtype(at::kLong));
    for (int64_t start = 0; start < blocks; start += blocksAtOnce) {
        const int64_t count = std::min(blocksAtOnce, blocks - start);
        const at::Tensor here =
            words.slice(0, start, start + count).to(at::kLong).bitwise_and_(lowHalf).mul_(key).sum(1);
        const auto &[low, high] = start == 0 ? firstFactors : factorsOf(hash, start, count);
        sum.add_(here.bitwise_and(lowHalf).mul_(low.slice(0, 0, count)).sum());
        sum.add_(here.bitwise_right_shift(32).bitwise_and_(lowHalf).mul_(high.slice(0, 0, count)).sum());
    }
    auto found = static_cast<uint64_t>(sum.item<int64_t>());
    const uint64_t done = static_cast<uint64_t>(blocks * blockWords) * sizeof(int32_t);
    if (bytes > done) {
        const at::Tensor rest =
            at::from_blob(reinterpret_cast<void *>(base + done), {static_cast<int64_t>(bytes - done)},
                          words.options().dtype(at::kByte))
                .cpu();
        found += hash.ofBlock(rest.const_data_ptr(), bytes - done, static_cast<uint64_t>(blocks));
    }
    return found;
}

} // namespace

Json fingerprint(uint64_t base, uint64_t bytes, MemoryKind kind) {
    static const KeyedHash hash(secretSeed());
    return kind == MemoryKind::Cpu ? hash.of(reinterpret_cast<const void *>(base), bytes)
                                   : onDevice(hash, base, bytes);
}

} // namespace warpwright
