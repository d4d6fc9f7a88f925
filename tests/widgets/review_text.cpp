// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/review_text.h"

using namespace warpwright;

QString reviewedKernel() {
    return QStringLiteral("// RMS norm of x + residual\n"
                          "#include <cuda_runtime.h>\n"
                          "\n"
                          "constexpr int kCols = 4096;\n"
                          "constexpr float kEps = 1e-6f;\n"
                          "\n"
                          "constexpr int kThreads = 512;\n"
                          "constexpr int kVec = kCols / (kThreads * 4);  // float4 a thread\n"
                          "\n"
                          "__device__ float warpSum(float value) {\n"
                          "  for (int offset = 16; offset > 0; offset >>= 1)\n"
                          "    value += __shfl_xor_sync(0xffffffff, value, offset);\n"
                          "  return value;\n"
                          "}\n"
                          "\n"
                          "__global__ void __launch_bounds__(kThreads)\n"
                          "rmsNormResidual(const float4 *x, const float4 *r, const float4 *w, float4 *y) {\n"
                          "  const size_t row = static_cast<size_t>(blockIdx.x) * (kCols / 4);\n"
                          "  float4 sum[kVec];\n"
                          "  float ss = 0.f;\n"
                          "  const int lane = threadIdx.x % 32;\n"
                          "\n"
                          "  // One pass: the row stays in registers.\n"
                          "  #pragma unroll\n"
                          "  for (int i = 0; i < kVec; ++i) {\n"
                          "    const int c = threadIdx.x + i * kThreads;\n"
                          "    const float4 a = x[row + c];\n"
                          "    const float4 b = r[row + c];\n"
                          "    sum[i] = add(a, b);\n"
                          "    ss += dot(sum[i], sum[i]);\n"
                          "  }\n"
                          "\n"
                          "  // The sum of a row.\n"
                          "  ss = warpSum(ss);\n"
                          "  __shared__ float part[kThreads];\n"
                          "  part[threadIdx.x] = ss;\n"
                          "  for (int s = kThreads / 2; s > 0; s >>= 1) {\n"
                          "    __syncthreads();\n"
                          "    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];\n"
                          "  }\n"
                          "  __syncthreads();\n"
                          "  const float scale = rsqrtf(part[0] / kCols + kEps);\n"
                          "  for (int i = 0; i < kVec; ++i)\n"
                          "    y[row + threadIdx.x + i * kThreads] = mul(sum[i], w[i], scale);\n"
                          "}\n");
}

std::vector<ShownHunk> threeHunks() {
    ShownHunk first;
    first.id = 11;
    first.number = 1;
    first.line = 7;
    first.oldCount = 1;
    first.state = ShownHunk::Accepted;
    first.title = QStringLiteral("512 threads instead of 256");
    first.measure = ShownHunk::Measured;
    first.difference = QStringLiteral("−0.9 ± 1.0 µs");
    first.isNoise = true;
    first.resources = QStringLiteral("regs −10");
    ShownHunk second;
    second.id = 12;
    second.number = 2;
    second.line = 27;
    second.oldCount = 2;
    second.newLines = {QStringLiteral("    const float4 a = __ldcs(x + row + c);  // w stays in L2"),
                       QStringLiteral("    const float4 b = __ldcs(r + row + c);")};
    second.oldWords = {{0, 21, 10}, {1, 21, 10}};
    second.newWords = {{0, 21, 19}, {1, 21, 19}};
    second.title = QStringLiteral("Streaming loads");
    second.measure = ShownHunk::Measured;
    second.difference = QStringLiteral("−4.1 ± 0.6 µs");
    second.resources = QStringLiteral("regs ±0");
    ShownHunk third;
    third.id = 13;
    third.number = 3;
    third.line = 35;
    third.oldCount = 7;
    third.newLines = {QStringLiteral("  __shared__ float part[kThreads / 32];"),
                      QStringLiteral("  ss = warpSum(ss);"),
                      QStringLiteral("  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = ss;"),
                      QStringLiteral("  __syncthreads();"),
                      QStringLiteral("  ss = warpSum(lane < kThreads / 32 ? part[lane] : 0.f);")};
    third.pieces = {{0, 1, 0, 1}, {1, 5, 1, 2}, {7, 0, 4, 1}};
    third.oldWords = {{0, 24, 8}};
    third.newWords = {{0, 24, 13}};
    third.title = QStringLiteral("Shuffle reduction");
    third.measure = ShownHunk::Measured;
    third.difference = QStringLiteral("−8.6 ± 0.7 µs");
    third.resources = QStringLiteral("smem −992 B");
    return {first, second, third};
}
