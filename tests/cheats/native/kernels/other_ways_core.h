// SPDX-License-Identifier: GPL-3.0-or-later
// A tile of a convolution by Winograd's F(4x4, 3x3): the same text for processor and GPU.
#pragma once

#include <cstdint>

#ifdef WARPWRIGHT_CPU
#define WW_BOTH inline
#else
#define WW_BOTH __host__ __device__ inline
#endif

// The 4x4 results of one filter at (top, left): A' [sum over channels of (G g G') . (B' d B)] A.
WW_BOTH void winogradTile(const float *image, const float *filter, float bias, float *y, int64_t channels,
                          int64_t height, int64_t width, int64_t top, int64_t left) {
    constexpr float B[6][6] = {{4, 0, -5, 0, 1, 0},  {0, -4, -4, 1, 1, 0}, {0, 4, -4, -1, 1, 0},
                               {0, -2, -1, 2, 1, 0}, {0, 2, -1, -2, 1, 0}, {0, 4, 0, -5, 0, 1}};
    constexpr float G[6][3] = {{0.25f, 0, 0},
                               {-1 / 6.0f, -1 / 6.0f, -1 / 6.0f},
                               {-1 / 6.0f, 1 / 6.0f, -1 / 6.0f},
                               {1 / 24.0f, 1 / 12.0f, 1 / 6.0f},
                               {1 / 24.0f, -1 / 12.0f, 1 / 6.0f},
                               {0, 0, 1}};
    constexpr float A[4][6] = {
        {1, 1, 1, 1, 1, 0}, {0, 1, -1, 2, -2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, -1, 8, -8, 1}};
    float sums[6][6] = {};
    for (int64_t channel = 0; channel < channels; ++channel) {
        const float *plane = image + channel * height * width;
        const float *g = filter + channel * 9;
        float half[6][6];
        float weights[6][6];
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 3; ++j)
                half[i][j] = G[i][0] * g[j] + G[i][1] * g[3 + j] + G[i][2] * g[6 + j];
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j)
                weights[i][j] = half[i][0] * G[j][0] + half[i][1] * G[j][1] + half[i][2] * G[j][2];
        float d[6][6];
        for (int i = 0; i < 6; ++i) {
            for (int j = 0; j < 6; ++j) {
                const int64_t r = top + i - 1;
                const int64_t c = left + j - 1;
                d[i][j] = r >= 0 && r < height && c >= 0 && c < width ? plane[r * width + c] : 0.0f;
            }
        }
        for (int i = 0; i < 6; ++i) {
            for (int j = 0; j < 6; ++j) {
                half[i][j] = 0.0f;
                for (int k = 0; k < 6; ++k)
                    half[i][j] += B[i][k] * d[k][j];
            }
        }
        for (int i = 0; i < 6; ++i) {
            for (int j = 0; j < 6; ++j) {
                float value = 0.0f;
                for (int k = 0; k < 6; ++k)
                    value += half[i][k] * B[j][k];
                sums[i][j] += weights[i][j] * value;
            }
        }
    }
    for (int i = 0; i < 4; ++i) {
        float line[6] = {};
        for (int j = 0; j < 6; ++j)
            for (int k = 0; k < 6; ++k)
                line[j] += A[i][k] * sums[k][j];
        for (int j = 0; j < 4; ++j) {
            float value = bias;
            for (int k = 0; k < 6; ++k)
                value += line[k] * A[j][k];
            y[(top + i) * width + left + j] = value < 0.0f ? 0.0f : value;
        }
    }
}
