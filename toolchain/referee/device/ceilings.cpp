// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/device/ceilings.h"

#include "referee/base/control_page.h"
#include "referee/device/cache_ceiling.h"
#include "referee/device/cuda_driver.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/dot.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <functional>

namespace warpwright {

namespace {

at::TensorOptions optionsFor(const DeviceFacts &device, at::ScalarType type) {
    return at::TensorOptions().dtype(type).device(device.memory == MemoryKind::Cuda ? at::Device(at::kCUDA, 0)
                                                                                    : at::kCPU);
}

double bestSeconds(const DeviceFacts &device, int runs, const std::function<void()> &work) {
    work();
    idle(device.memory);
    double best = 1e30;
    for (int run = 0; run < runs; ++run) {
        const uint64_t start = monotonicNanoseconds();
        work();
        idle(device.memory);
        best = std::min(best, static_cast<double>(monotonicNanoseconds() - start) * 1e-9);
    }
    return best;
}

double productFlopsPerSecond(const DeviceFacts &device, at::ScalarType type, int64_t size, int runs = 4) {
    const at::Tensor left = at::randn({size, size}, optionsFor(device, at::kFloat)).to(type);
    const at::Tensor right = at::randn({size, size}, optionsFor(device, at::kFloat)).to(type);
    at::Tensor out = at::empty({size, size}, optionsFor(device, type));
    const double seconds = bestSeconds(device, runs, [&] { at::mm_out(out, left, right); });
    return 2.0 * static_cast<double>(size) * static_cast<double>(size) * static_cast<double>(size) / seconds;
}

} // namespace

Json Ceilings::toJson() const {
    const auto positive = [](double value) {
        return value > 0.0 ? Json(value) : Json();
    };
    return {
        {"copyBytesPerSecond", copyBytesPerSecond},
        {"readBytesPerSecond", readBytesPerSecond},
        {"cacheBytesPerSecond", positive(cacheBytesPerSecond)},
        {"fp32FlopsPerSecond", fp32FlopsPerSecond},
        {"tf32FlopsPerSecond", positive(tf32FlopsPerSecond)},
        {"bf16FlopsPerSecond", positive(halfFlopsPerSecond)},
        {"fp64FlopsPerSecond", positive(fp64FlopsPerSecond)},
        {"measuredSeconds", seconds},
        {"method", "best of several runs in this session: device-to-device copy; sum, maximum and inner "
                   "product of large tensors; square matrix products, all by LibTorch; repeated reads of a "
                   "quarter of a GPU's last-level cache by a kernel of the judge"},
    };
}

void warmDevice(const DeviceFacts &device) {
    at::zeros({1024}, optionsFor(device, at::kFloat)).sum();
    idle(device.memory);
}

void idle(MemoryKind memory) {
#if WARPWRIGHT_CUDA
    if (memory == MemoryKind::Cuda)
        CudaDriver::load().contextSynchronize();
#else
    (void)memory;
#endif
}

void flushCache(const DeviceFacts &device) {
    static at::Tensor scratch;
    const auto bytes = static_cast<int64_t>(2 * device.lastLevelCacheBytes);
    if (!scratch.defined() || scratch.numel() != bytes)
        scratch = at::empty({bytes}, optionsFor(device, at::kByte));
    scratch.fill_(1);
    idle(device.memory);
}

Ceilings measureCeilings(const DeviceFacts &device) {
    const uint64_t start = monotonicNanoseconds();
    const bool cuda = device.memory == MemoryKind::Cuda;
    Ceilings ceilings;
    {
        const uint64_t wanted = cuda
                                    ? uint64_t{1} << 30
                                    : std::max<uint64_t>(4 * device.lastLevelCacheBytes, uint64_t{128} << 20);
        const uint64_t bytes = std::min(wanted, availableMemory(device.memory) / 8) / 4 * 4;
        const at::Tensor from = at::ones({static_cast<int64_t>(bytes / 4)}, optionsFor(device, at::kFloat));
        at::Tensor to = at::empty_like(from);
        ceilings.copyBytesPerSecond =
            2.0 * static_cast<double>(bytes) / bestSeconds(device, 8, [&] { to.copy_(from); });
        // Which library reads fastest differs from device to device.
        const double once = static_cast<double>(bytes);
        ceilings.readBytesPerSecond =
            std::max({once / bestSeconds(device, 8, [&] { at::sum(from); }),
                      once / bestSeconds(device, 8, [&] { at::amax(from); }),
                      2.0 * once / bestSeconds(device, 8, [&] { at::dot(from, to); })});
    }
    ceilings.cacheBytesPerSecond = cacheBytesPerSecond(device);
    const int64_t size = cuda ? 8192 : 1536;
    at::globalContext().setAllowTF32CuBLAS(false);
    ceilings.fp32FlopsPerSecond = productFlopsPerSecond(device, at::kFloat, size);
    if (cuda) {
        at::globalContext().setAllowTF32CuBLAS(true);
        ceilings.tf32FlopsPerSecond = productFlopsPerSecond(device, at::kFloat, size);
        at::globalContext().setAllowTF32CuBLAS(false);
        ceilings.halfFlopsPerSecond = productFlopsPerSecond(device, at::kBFloat16, size);
        // Cards for games have a 64th of their units for it: there one of 4096 takes a fifth of a second.
        ceilings.fp64FlopsPerSecond = productFlopsPerSecond(device, at::kDouble, size / 2, 2);
    }
    ceilings.seconds = static_cast<double>(monotonicNanoseconds() - start) * 1e-9;
    return ceilings;
}

} // namespace warpwright
