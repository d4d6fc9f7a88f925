#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <mma.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/atomic>
#include <cuda/std/cmath>
#include <cub/cub.cuh>
#include <cuda.h>
#include <curand_kernel.h>
#include <cstdint>
#include <cstdio>
namespace cg = cooperative_groups;
__constant__ float table[16];
extern __shared__ float dynamicShared[];
template <typename T> __device__ T all(T *p, int i) {
    T a = __ldg(p + i) + __ldcs(p + i) + __ldcg(p + i) + __ldca(p + i) + __ldlu(p + i) + __ldcv(p + i);
    __stcs(p, a); __stcg(p, a); __stwb(p, a); __stwt(p, a);
    return a;
}
__global__ void __launch_bounds__(256, 2) k(float *f, float4 *f4, int *i, unsigned *u, double *d, long long *ll, __half *h, __half2 *h2, __nv_bfloat16 *b, __nv_bfloat162 *b2, float2 *f2, int4 *i4, uint4 *u4, unsigned long long *ull) {
    f[0] = all(f, 1); i[0] = all(i, 1); u[0] = all(u, 1); d[0] = all(d, 1); ll[0] = all(ll, 1);
    f4[0] = __ldcs(f4); f4[1] = __ldcg(f4); f4[2] = __ldg(f4); __stcs(f4, f4[1]); __stcg(f4, f4[1]); __stwt(f4, f4[2]);
    f2[0] = __ldcs(f2); __stcs(f2, f2[1]); i4[0] = __ldcs(i4); __stcs(i4, i4[1]); __stcg(u4, u4[1]); u4[1] = __ldcv(u4);
    h[0] = __ldg(h); h[1] = __ldcs(h); __stcs(h, h[1]); h2[0] = __ldcs(h2); __stcs(h2, h2[1]); b[0] = __ldcs(b); b2[1] = __ldg(b2); __stcg(b2, b2[0]);
    f[0] = __shfl_xor_sync(~0u, f[1], 4); f[0] += __shfl_down_sync(~0u, f[1], 4, 16); f[0] += __shfl_up_sync(~0u, f[1], 1); f[0] += __shfl_sync(~0u, f[1], 0);
    h[0] = __shfl_xor_sync(~0u, h[0], 1); h2[0] = __shfl_down_sync(~0u, h2[0], 1); b[0] = __shfl_xor_sync(~0u, b[0], 1); d[0] = __shfl_xor_sync(~0u, d[0], 1); ll[0] = __shfl_sync(~0u, ll[0], 1);
    unsigned m = __ballot_sync(~0u, i[0] > 0); int al = __all_sync(m, 1) + __any_sync(m, 0) + __uni_sync(m, 1);
    i[0] = al + __popc(m) + __clz(i[0]) + __ffs(i[1]) + __brev(u[0]) + __popcll(ll[0]) + __clzll(ll[1]) + __ffsll(ll[2]) + __brevll(ull[0]);
    m = __activemask(); __syncwarp(); __syncwarp(m); __syncthreads(); i[0] = __syncthreads_count(1) + __syncthreads_and(1) + __syncthreads_or(0);
    u[0] = __match_any_sync(~0u, i[0]); int pred; u[1] = __match_all_sync(~0u, i[0], &pred);
    u[2] = __reduce_add_sync(~0u, u[0]) + __reduce_min_sync(~0u, u[0]) + __reduce_max_sync(~0u, u[0]) + __reduce_and_sync(~0u, u[0]) + __reduce_or_sync(~0u, u[0]) + __reduce_xor_sync(~0u, u[0]); i[1] = __reduce_add_sync(~0u, i[0]);
    __threadfence(); __threadfence_block(); __threadfence_system(); __nanosleep(100); __trap(); __brkpt();
    atomicAdd(f, 1.f); atomicAdd(i, 1); atomicAdd(u, 1u); atomicAdd(d, 1.0); atomicAdd(ull, 1ull); atomicAdd(h, h[1]); atomicAdd(h2, h2[1]); atomicAdd(b, b[0]); atomicAdd(b2, b2[0]); atomicAdd(f2, f2[1]); atomicAdd(f4, f4[1]);
    atomicMax(i, 3); atomicMin(u, 3u); atomicCAS(u, 1u, 2u); atomicExch(f, 1.f); atomicAnd(u, 1u); atomicOr(u, 1u); atomicXor(u, 2u); atomicInc(u, 7u); atomicDec(u, 7u); atomicSub(i, 1); atomicAdd_block(i, 1); atomicAdd_system(f, 1.f); atomicMax(ll, 3ll); atomicCAS((unsigned short *)h, (unsigned short)1, (unsigned short)2); atomicCAS_block(u, 1u, 2u);
    f[0] = __expf(f[1]) + __logf(f[1]) + __log2f(f[1]) + __log10f(f[1]) + __powf(f[1], 2.f) + __sinf(f[1]) + __cosf(f[0]) + __tanf(f[0]) + __fdividef(f[0], f[1]) + __frcp_rn(f[0]) + __fsqrt_rn(f[0]) + __frsqrt_rn(f[0]) + rsqrtf(f[0]) + __fmaf_rn(f[0], f[1], f[2]) + __fadd_rn(f[0], f[1]) + __fmul_rn(f[0], f[1]) + __saturatef(f[0]) + exp2f(f[0]) + exp10f(f[1]) + erff(f[0]) + tanhf(f[0]) + fmaf(f[0], f[1], f[2]) + __fsub_rn(f[0], f[1]) + __fdiv_rn(f[0], f[1]) + __exp10f(f[1]) + normcdff(f[0]) + rcbrtf(f[1]) + sinpif(f[0]) + cospif(f[1]) + fdividef(f[0], f[1]) + __tanhf(f[1]);
    __sincosf(f[0], f, f + 1); sincosf(f[0], f, f + 1); sincospif(f[0], f, f + 1);
    i[0] = __float2int_rn(f[0]) + __float2int_rd(f[0]) + __float_as_int(f[0]) + __mulhi(i[0], i[1]) + __umulhi(u[0], u[1]) + __mul24(i[0], i[1]) + __dp4a(i[0], i[1], i[2]) + __dp2a_lo(i[0], i[1], i[2]) + __sad(i[0], i[1], u[0]) + __byte_perm(i[0], i[1], 0x3210) + __funnelshift_l(u[0], u[1], 3) + __funnelshift_r(u[0], u[1], 3) + __hadd(i[0], i[1]) + __rhadd(i[0], i[1]) + __vadd4(u[0], u[1]) + __vabsdiffu4(u[0], u[1]) + __vmaxs2(u[0], u[1]) + __vcmpeq4(u[0], u[1]) + __viaddmax_s32(i[0], i[1], i[2]) + __vimax3_s32(i[0], i[1], i[2]);
    f[0] = __int_as_float(i[0]) + __uint_as_float(u[0]) + __int2float_rn(i[0]) + __uint2float_rn(u[0]) + __ll2float_rn(ll[0]) + __double2float_rn(d[0]); d[0] = __hiloint2double(i[0], i[1]) + __longlong_as_double(ll[0]) + __dadd_rn(d[0], d[1]) + __fma_rn(d[0], d[1], d[2]); ll[0] = __double_as_longlong(d[0]);
    h[0] = __float2half(f[0]); h[0] = __float2half_rn(f[0]); f[0] = __half2float(h[0]); h2[0] = __floats2half2_rn(f[0], f[1]); f2[0] = __half22float2(h2[0]); h[1] = __low2half(h2[0]); h2[1] = __hadd2(h2[0], h2[1]); h2[1] = __hfma2(h2[0], h2[1], h2[2]); h[0] = __hadd(h[0], h[1]); h[0] = hexp(h[0]); h[0] = h[0] + h[1] * h[2]; h[0] = __hmax(h[0], h[1]); h2[0] = __halves2half2(h[0], h[1]); h2[0] = h2exp2(h2[0]); h[0] = htanh(h[0]); h2[0] = __half2half2(h[0]); h[1] = hrsqrt(h[0]); h2[0] = __float22half2_rn(f2[0]); f[0] = float(h[0]); h[0] = __ushort_as_half(7);
    b[0] = __float2bfloat16(f[0]); b[0] = __float2bfloat16_rn(f[0]); f[0] = __bfloat162float(b[0]); b2[0] = __floats2bfloat162_rn(f[0], f[1]); f2[0] = __bfloat1622float2(b2[0]); b2[0] = __float22bfloat162_rn(f2[0]); b2[0] = __hfma2(b2[0], b2[1], b2[2]); b[0] = b[0] * b[1] + b[0]; b[0] = __hmax(b[0], b[1]); b2[0] = __halves2bfloat162(b[0], b[1]); b[0] = hexp(b[0]);
    __nv_fp8_e4m3 e(f[0]); f[0] = float(e); __nv_fp8x4_e4m3 e4(f4[0]); f4[0] = float4(e4);
    __shared__ alignas(128) float s[1024]; __shared__ __half sh[16 * 16];
    unsigned a0 = static_cast<unsigned>(__cvta_generic_to_shared(s));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(a0), "l"(f));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(u[0]), "=r"(u[1]), "=r"(u[2]), "=r"(u[3]) : "r"(a0) : "memory");
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3]) : "r"(u[0]), "r"(u[1]), "r"(u[2]), "r"(u[3]), "r"(u[0]), "r"(u[1]));
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %0, 0; @p bra L; L: }" ::"r"(u[0]), "h"((unsigned short)1), "d"(d[0]), "n"(4));
    asm volatile("bar.sync %0, %1;" ::"r"(1), "r"(128) : "memory");
    __pipeline_memcpy_async(s, f, 16); __pipeline_commit(); __pipeline_wait_prior(0);
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, __half, nvcuda::wmma::row_major> fa; nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, __half, nvcuda::wmma::col_major> fb; nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> fc;
    nvcuda::wmma::fill_fragment(fc, 0.f); nvcuda::wmma::load_matrix_sync(fa, sh, 16); nvcuda::wmma::load_matrix_sync(fb, sh, 16); nvcuda::wmma::mma_sync(fc, fa, fb, fc); nvcuda::wmma::store_matrix_sync(f, fc, 16, nvcuda::wmma::mem_row_major);
    auto block = cg::this_thread_block(); auto tile = cg::tiled_partition<32>(block); f[0] = cg::reduce(tile, f[0], cg::plus<float>()); tile.sync(); f[1] = tile.shfl_xor(f[1], 1); cg::this_grid().sync(); cg::memcpy_async(block, s, f, 64); cg::wait(block); i[0] = tile.thread_rank(); auto co = cg::coalesced_threads(); i[1] = co.size(); cg::this_cluster().sync();
    __shared__ cuda::barrier<cuda::thread_scope_block> bar; if (threadIdx.x == 0) init(&bar, blockDim.x); bar.arrive_and_wait(); cuda::memcpy_async(block, s, f, cuda::aligned_size_t<16>(64), bar);
    auto pipe = cuda::make_pipeline(); pipe.producer_acquire(); cuda::memcpy_async(s, f, 16, pipe); pipe.producer_commit(); pipe.consumer_wait(); pipe.consumer_release();
    cuda::atomic_ref<int, cuda::thread_scope_device> ar(i[0]); ar.fetch_add(1, cuda::memory_order_relaxed);
    using Reduce = cub::BlockReduce<float, 256>; __shared__ typename Reduce::TempStorage ts; f[0] = Reduce(ts).Sum(f[0]); f[0] = cub::WarpReduce<float>(*(cub::WarpReduce<float>::TempStorage *)s).Sum(f[1]);
    curandStatePhilox4_32_10_t st; curand_init(1, 2, 3, &st); f[0] = curand_uniform(&st); f4[0] = curand_normal4(&st);
    printf("%d\n", i[0]); assert(i[0]); i[0] = warpSize + gridDim.x + blockIdx.y + clock() + clock64() + __isGlobal(f) + __isShared(s);  dynamicShared[threadIdx.x] = table[0];
    f4[0] = make_float4(1, 2, 3, 4); i4[0] = make_int4(1, 2, 3, 4); f[0] = fminf(f[0], max(f[1], 2.f)) + min(i[0], 2) + INFINITY; __builtin_assume(i[0] > 0); f = static_cast<float *>(__builtin_assume_aligned(f, 16));
    u[0] = __vaddus4(u[0], u[1]); u[1] = __nv_cvt_float_to_fp8(f[0], __NV_SATFINITE, __NV_E4M3); __grid_constant__ static const int unused = 0; (void)unused; int smid; asm("mov.u32 %0, %%smid;" : "=r"(smid)); __prof_trigger(1); __builtin_unreachable();
}
struct P { float v[4]; };
__global__ void g(const __grid_constant__ P p, float *__restrict__ o) { o[threadIdx.x] = p.v[0]; }
__global__ void __cluster_dims__(2, 1, 1) c(float *o) { o[0] = 1; }
__global__ void __maxnreg__(64) c2(float *o) { o[0] = 1; }
__host__ __device__ inline float both(float x) { return x * 2; }
__device__ __noinline__ float n1(float x) { return x; }
__device__ __forceinline__ float n2(float x) { return x; }
constexpr int cx(int a) { return a * 2; }
__managed__ int managed;
extern "C" void launch(float *x, cudaStream_t s) {
    float *d; cudaMalloc(&d, 4); cudaMemcpyAsync(d, x, 4, cudaMemcpyDeviceToDevice, s); cudaMemsetAsync(d, 0, 4, s); cudaMallocAsync(&d, 4, s); cudaFreeAsync(d, s);
    cudaFuncSetAttribute(g, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536); int nb; cudaOccupancyMaxActiveBlocksPerMultiprocessor(&nb, g, 256, 0); int gs, bs; cudaOccupancyMaxPotentialBlockSize(&gs, &bs, g, 0, 0);
    P p{}; g<<<dim3(1), 256, 0, s>>>(p, d); auto e = cudaGetLastError(); printf("%s", cudaGetErrorString(e)); cudaEvent_t ev; cudaEventCreateWithFlags(&ev, cudaEventDisableTiming); cudaEventRecord(ev, s); cudaStreamWaitEvent(s, ev, 0); cudaStreamSynchronize(s); cudaDeviceProp pr; cudaGetDeviceProperties(&pr, 0); cudaMemcpyToSymbol(table, x, 4); cudaMemcpyToSymbolAsync(table, x, 4, 0, cudaMemcpyHostToDevice, s); void *sym; cudaGetSymbolAddress((void **)&sym, table);
    cudaLaunchConfig_t cfg{}; cfg.gridDim = 1; cudaLaunchAttribute at[1]; at[0].id = cudaLaunchAttributeClusterDimension; cfg.attrs = at; cfg.numAttrs = 1; cudaLaunchKernelEx(&cfg, c, d); void *args[] = {&d}; cudaLaunchCooperativeKernel((void *)c, dim3(1), dim3(1), args, 0, s); cudaLaunchKernel((void *)c, dim3(1), dim3(32), args, 0, s); cudaLaunchCooperativeKernel(c2, dim3(1), dim3(1), args);
    auto l = [=] __device__(float v) { return v * 2; }; (void)l; size_t tmp = 0; cub::DeviceReduce::Sum(nullptr, tmp, d, d, 10, s); CUtensorMap tm{}; (void)tm; int dev; cudaGetDevice(&dev); cudaDeviceGetAttribute(&nb, cudaDevAttrMultiProcessorCount, dev);
}
