// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/device/cache_ceiling.h"

#include "referee/base/control_page.h"
#include "referee/device/cuda_driver.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>

#include <algorithm>

namespace warpwright {

#if WARPWRIGHT_CUDA

namespace {

/// Every thread reads its 16-byte words of `from`, `rounds` times. The sum goes to memory in a case that
/// zeros never are, so that no compiler leaves the loads out; .cg keeps them out of L1.
constexpr const char *readAgain = R"(
.version 6.3
.target sm_70
.address_size 64
.visible .entry readAgain(.param .u64 from, .param .u64 sink, .param .u32 vectors, .param .u32 rounds)
{
    .reg .pred %p<4>;
    .reg .b32 %r<48>;
    .reg .b64 %a<8>;
    ld.param.u64 %a0, [from];
    ld.param.u64 %a1, [sink];
    ld.param.u32 %r0, [vectors];
    ld.param.u32 %r1, [rounds];
    cvta.to.global.u64 %a0, %a0;
    cvta.to.global.u64 %a1, %a1;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.u32 %r4, %r2, %r3, %r4;
    mov.u32 %r5, %nctaid.x;
    mul.lo.u32 %r5, %r5, %r3;
    mov.u32 %r6, 0;
ROUND:
    mov.u32 %r7, %r4;
    setp.ge.u32 %p0, %r7, %r0;
    @%p0 bra NEXT;
STEP:
    mul.wide.u32 %a2, %r7, 16;
    add.u64 %a2, %a0, %a2;
    ld.global.cg.v4.u32 {%r8, %r9, %r10, %r11}, [%a2];
    xor.b32 %r8, %r8, %r9;
    xor.b32 %r10, %r10, %r11;
    xor.b32 %r8, %r8, %r10;
    xor.b32 %r6, %r6, %r8;
    add.u32 %r7, %r7, %r5;
    setp.lt.u32 %p1, %r7, %r0;
    @%p1 bra STEP;
NEXT:
    sub.u32 %r1, %r1, 1;
    setp.ne.u32 %p2, %r1, 0;
    @%p2 bra ROUND;
    setp.ne.u32 %p3, %r6, 305419896;
    @%p3 bra DONE;
    st.global.u32 [%a1], %r6;
DONE:
    ret;
}
)";

constexpr uint64_t bytesOfARun = uint64_t{16} << 30;
constexpr uint64_t vectorBytes = 16;
constexpr unsigned threads = 512; ///< divides what an SM holds: 1,024, 1,536 or 2,048
constexpr int runs = 4;

/// The kernel, as long as it is loaded.
class LoadedKernel {
public:
    explicit LoadedKernel(const CudaDriver &driver) : m_driver(driver) {
        if (m_driver.moduleLoad(&m_module, readAgain) != CUDA_SUCCESS)
            m_module = nullptr;
        else if (m_driver.moduleFunction(&m_function, m_module, "readAgain") != CUDA_SUCCESS)
            m_function = nullptr;
    }
    ~LoadedKernel() {
        if (m_module != nullptr)
            m_driver.moduleUnload(m_module);
    }
    LoadedKernel(const LoadedKernel &) = delete;
    LoadedKernel &operator=(const LoadedKernel &) = delete;

    CUfunction function() const { return m_function; }

private:
    const CudaDriver &m_driver;
    CUmodule m_module = nullptr;
    CUfunction m_function = nullptr;
};

} // namespace

double cacheBytesPerSecond(const DeviceFacts &device) try {
    const uint64_t bytes = device.lastLevelCacheBytes / 4 / vectorBytes * vectorBytes;
    if (device.memory != MemoryKind::Cuda || bytes == 0 || device.units <= 0)
        return 0.0;
    const CudaDriver &driver = CudaDriver::load();
    const LoadedKernel kernel(driver);
    if (kernel.function() == nullptr)
        return 0.0;
    const at::Tensor words = at::zeros({static_cast<int64_t>(bytes + vectorBytes)},
                                       at::TensorOptions().dtype(at::kByte).device(at::kCUDA, 0));
    auto from = reinterpret_cast<CUdeviceptr>(words.data_ptr());
    CUdeviceptr sink = from + bytes;
    auto vectors = static_cast<unsigned>(bytes / vectorBytes);
    auto rounds = static_cast<unsigned>(std::max<uint64_t>(1, bytesOfARun / bytes));
    void *parameters[] = {&from, &sink, &vectors, &rounds};
    const auto read = [&] {
        return driver.launchKernel(kernel.function(), 4 * static_cast<unsigned>(device.units), 1, 1, threads,
                                   1, 1, 0, nullptr, parameters, nullptr) == CUDA_SUCCESS &&
               driver.contextSynchronize() == CUDA_SUCCESS;
    };
    if (!read()) // the first brings the words into the cache
        return 0.0;
    uint64_t best = UINT64_MAX;
    for (int run = 0; run < runs; ++run) {
        const uint64_t start = monotonicNanoseconds();
        if (!read())
            return 0.0;
        best = std::min(best, monotonicNanoseconds() - start);
    }
    return static_cast<double>(bytes) * rounds / (static_cast<double>(best) * 1e-9);
} catch (const c10::Error &) {
    return 0.0; // no memory is free
}

#else

double cacheBytesPerSecond(const DeviceFacts &) {
    return 0.0;
}

#endif

} // namespace warpwright
