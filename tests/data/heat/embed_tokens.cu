// SPDX-License-Identifier: GPL-3.0-or-later
// y[s, t] = words[token[s, t]] + positions[t], rows of 256 floats.
//
// A warp takes the same position of four sequences: it reads the position's row once, has four tokens at
// once, and eight 16-byte loads a lane from the table in flight. Rows are 1 KB, so random rows cost nothing.
#include <cuda_runtime.h>

namespace {

constexpr int kChannels = 256;
constexpr int kVectors = kChannels / 4 / 32;
constexpr int kSequences = 4;
constexpr int kWarps = 4;

__global__ void __launch_bounds__(32 * kWarps)
    embedTokens(const long long *__restrict__ tokens, const float4 *__restrict__ words,
                const float4 *__restrict__ positions, float4 *__restrict__ y, int length) {
    const int position = blockIdx.x * kWarps + threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    if (position >= length)
        return;
    const size_t first = size_t(blockIdx.y) * kSequences * length + position;

    long long token[kSequences];
#pragma unroll
    for (int s = 0; s < kSequences; ++s)
        token[s] = __ldg(tokens + first + size_t(s) * length);
    float4 v[kSequences][kVectors];
#pragma unroll
    for (int s = 0; s < kSequences; ++s)
#pragma unroll
        for (int i = 0; i < kVectors; ++i)
            v[s][i] = __ldg(words + token[s] * (kChannels / 4) + i * 32 + lane);
    float4 p[kVectors];
#pragma unroll
    for (int i = 0; i < kVectors; ++i)
        p[i] = __ldg(positions + size_t(position) * (kChannels / 4) + i * 32 + lane);

#pragma unroll
    for (int s = 0; s < kSequences; ++s)
#pragma unroll
        for (int i = 0; i < kVectors; ++i)
            __stcs(
                y + (first + size_t(s) * length) * (kChannels / 4) + i * 32 + lane,
                make_float4(v[s][i].x + p[i].x, v[s][i].y + p[i].y, v[s][i].z + p[i].z, v[s][i].w + p[i].w));
}

} // namespace

// tokens: [batch, length], words: [words, 256], positions: [length, 256], y: [batch, length, 256]; batch is a
// multiple of 4.
extern "C" void launchEmbedTokens(const long long *tokens, const float *words, const float *positions,
                                  float *y, int batch, int length, cudaStream_t stream) {
    embedTokens<<<dim3((length + kWarps - 1) / kWarps, batch / kSequences), 32 * kWarps, 0, stream>>>(
        tokens, reinterpret_cast<const float4 *>(words), reinterpret_cast<const float4 *>(positions),
        reinterpret_cast<float4 *>(y), length);
}
