// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cpu/convolution_cpu_texts.h"

namespace warpwright {

QString gatheredText() {
    return QStringLiteral(R"(@head@#pragma omp parallel
    {
        // What a tile of the result needs, one row for each channel and tap: it stays in this core's cache.
        std::vector<@compute@> columns(kInner * kTilePlaces);
@own@#pragma omp for schedule(dynamic)
        for (std::int64_t job = 0; job < kImages * kGroups * kTiles; ++job) {
            const std::int64_t tile = job % kTiles;
            const std::int64_t group = job / kTiles % kGroups;
            const std::int64_t image = job / kTiles / kGroups;
            const std::int64_t firstRow = tile / kTilesAcross * kTileRows;
            const std::int64_t firstColumn = tile % kTilesAcross * kTileColumns;
            const std::int64_t rows = std::min(kTileRows, kOutRows - firstRow);
            const std::int64_t width = std::min(kTileColumns, kOutWidth - firstColumn);
            const std::int64_t places = rows * width;

            const @memory@ *const images = @x@ + image * @stepN@ + group * kIn * @stepC@;
            for (std::int64_t k = 0; k < kInner; ++k) {
                const std::int64_t tap = k % kTaps;
                // Where this tap meets the input for the first column of the tile.
                const std::int64_t left = firstColumn * kStrideW + tap % kTapsAcross * kDilationW - kPaddingW;
                for (std::int64_t row = 0; row < rows; ++row) {
@3@                    const std::int64_t d = (firstRow + row) / kOutHeight * kStrideD - kPaddingD +
@3@                                           tap / kTapsAcross / kTapsDown * kDilationD;
@3@                    const std::int64_t h = (firstRow + row) % kOutHeight * kStrideH - kPaddingH +
@3@                                           tap / kTapsAcross % kTapsDown * kDilationH;
@2@                    const std::int64_t h =
@2@                        (firstRow + row) * kStrideH - kPaddingH + tap / kTapsAcross * kDilationH;
                    @compute@ *const to = columns.data() + k * places + row * width;
@3@                    if (d < 0 || d >= kDepth || h < 0 || h >= kHeight) {
@2@                    if (h < 0 || h >= kHeight) {
                        std::fill_n(to, width, @zero@); // padding
                        continue;
                    }
@3@                    const @memory@ *const from = images + k / kTaps * @stepC@ + d * @stepD@ + h * @stepH@;
@2@                    const @memory@ *const from = images + k / kTaps * @stepC@ + h * @stepH@;
                    gather(from, left, to, width);
                }
            }
            const std::int64_t firstPlace = firstRow * kOutWidth + firstColumn;
@result@            multiply(@weights@ + group * kOut * kInner, columns.data(), result, places);
@epilogue@        }
    }
    return 0;
}
)");
}

QString gatherText() {
    return QStringLiteral(
        R"(// What one tap needs for `width` neighbours of the result, from a row of the input; `left` is where the first
// meets it. A function that stays one: inlined, GCC 12 makes vector code of the loops around it, and that is
// wrong for rows of a dozen elements (seen with -O3 -march=native and AVX-512).
__attribute__((noinline)) void gather(const @memory@ *from, std::int64_t left, @compute@ *to, std::int64_t width) {
    // Padding on either side; between no question is left in the loop.
    const std::int64_t first = left < 0 ? std::min(width, (-left + kStrideW - 1) / kStrideW) : 0;
    const std::int64_t last = std::clamp((kWidth - left + kStrideW - 1) / kStrideW, first, width);
    std::fill_n(to, first, @zero@);
    for (std::int64_t column = first; column < last; ++column)
        to[column] = @value@;
    std::fill_n(to + last, width - last, @zero@);
}

)");
}

QString multiplyText() {
    return QStringLiteral(R"(// result [kOut, places] = filters [kOut, kInner] * columns [kInner, places]
void multiply(const @compute@ *filters, const @compute@ *columns, @compute@ *result, std::int64_t places) {
#if __has_include(<cblas.h>)
    cblas_@letter@gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, int(kOut), int(places), int(kInner), @one@,
                filters, int(kInner), columns, int(places), @zero@, result, @ldY@);
#else
    // Right, but many times slower: install the headers of OpenBLAS.
    for (std::int64_t out = 0; out < kOut; ++out) {
        @compute@ *const row = result + out * @ldY@;
        std::fill_n(row, places, @zero@);
        for (std::int64_t k = 0; k < kInner; ++k)
            for (std::int64_t place = 0; place < places; ++place)
                row[place] += filters[out * kInner + k] * columns[k * places + place];
    }
#endif
}

)");
}

QString phasesText() {
    return QStringLiteral(
        R"(@head@    // For each tap the filters as a matrix [channels out, channels in], as BLAS takes them.
    std::vector<@compute@> packed(kGroups * kTaps * kOut * kIn);
    for (std::int64_t in = 0; in < kGroups * kIn; ++in)
        for (std::int64_t out = 0; out < kOut; ++out)
            for (std::int64_t tap = 0; tap < kTaps; ++tap)
                packed[((in / kIn * kTaps + tap) * kOut + out) * kIn + in % kIn] =
                    @filter@;
#pragma omp parallel
    {
        std::vector<@compute@> sums(kOut * kPhaseWidth);
#pragma omp for schedule(dynamic)
        for (std::int64_t job = 0; job < kImages * kGroups * kOutRows * kStrideW; ++job) {
            const std::int64_t phase = job % kStrideW; // columns phase, phase + kStrideW, ...
            const std::int64_t row = job / kStrideW % kOutRows;
            const std::int64_t group = job / kStrideW / kOutRows % kGroups;
            const std::int64_t image = job / kStrideW / kOutRows / kGroups;
            const std::int64_t width = (kOutWidth - phase + kStrideW - 1) / kStrideW;
            if (width <= 0)
                continue;
            std::fill(sums.begin(), sums.end(), @zero@);
            for (std::int64_t tap = 0; tap < kTaps; ++tap) {
                // Which input meets this output at this tap: input * stride - padding + tap * dilation = output.
@3@                const std::int64_t d =
@3@                    row / kOutHeight + kPaddingD - tap / kTapsAcross / kTapsDown * kDilationD;
@3@                const std::int64_t h =
@3@                    row % kOutHeight + kPaddingH - tap / kTapsAcross % kTapsDown * kDilationH;
@2@                const std::int64_t h = row + kPaddingH - tap / kTapsAcross * kDilationH;
                const std::int64_t w = phase + kPaddingW - tap % kTapsAcross * kDilationW;
@3@                if (d % kStrideD != 0 || h % kStrideH != 0 || w % kStrideW != 0)
@3@                    continue; // a tap of another phase
@3@                if (d < 0 || d / kStrideD >= kDepth || h < 0 || h / kStrideH >= kHeight)
@3@                    continue;
@2@                if (h % kStrideH != 0 || w % kStrideW != 0)
@2@                    continue; // a tap of another phase
@2@                if (h < 0 || h / kStrideH >= kHeight)
@2@                    continue;
                // Neighbours in the phase meet neighbours of the input, as far as there are some.
                const std::int64_t shift = w / kStrideW;
                const std::int64_t first = std::max<std::int64_t>(0, -shift);
                const std::int64_t last = std::min(width, kWidth - shift);
                if (first < last)
                    accumulate(packed.data() + (group * kTaps + tap) * kOut * kIn,
                               @x@ + image * @stepN@ + group * kIn * @stepC@ +
@3@                                   d / kStrideD * @stepD@ + h / kStrideH * @stepH@ + first + shift,
@2@                                   h / kStrideH * @stepH@ + first + shift,
                               sums.data() + first, last - first);
            }
            for (std::int64_t channel = 0; channel < kOut; ++channel) {
                const @compute@ *const from = sums.data() + channel * kPhaseWidth;
                @memory@ *const to = @y@ + ((image * kGroups + group) * kOut + channel) * kPlaces +
                                     row * kOutWidth + phase;
                for (std::int64_t column = 0; column < width; ++column)
                    to[column * kStrideW] = @stored@;
            }
        }
    }
    return 0;
}
)");
}

QString accumulateText() {
    return QStringLiteral(
        R"(// sums [kOut, places] += filters [kOut, kIn] * input [kIn, places], whose channels lie far apart
void accumulate(const @compute@ *filters, const @memory@ *input, @compute@ *sums, std::int64_t places) {
@blas@    for (std::int64_t out = 0; out < kOut; ++out)
        for (std::int64_t in = 0; in < kIn; ++in) {
            const @compute@ filter = filters[out * kIn + in];
#pragma omp simd
            for (std::int64_t place = 0; place < places; ++place)
                sums[out * kPhaseWidth + place] += filter * @value@;
        }
@end@}

)");
}

QString accumulateBlas() {
    return QStringLiteral(R"(#if __has_include(<cblas.h>)
    cblas_@letter@gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, int(kOut), int(places), int(kIn), @one@, filters,
                int(kIn), input, @stepC@, @one@, sums, int(kPhaseWidth));
#else
    // Right, but many times slower: install the headers of OpenBLAS.
)");
}

QString depthwiseText() {
    return QStringLiteral(R"(@head@#pragma omp parallel
    {
        std::vector<@compute@> sums(kOutWidth);
#pragma omp for schedule(static)
        for (std::int64_t plane = 0; plane < kImages * kChannels; ++plane) {
            const std::int64_t image = plane / kChannels;
            const std::int64_t channel = plane % kChannels;
            const @memory@ *const in = @x@ + image * @stepN@ + channel / kFiltersPerChannel * @stepC@;
            for (std::int64_t row = 0; row < kOutRows; ++row) {
                std::fill(sums.begin(), sums.end(), @zero@);
                for (std::int64_t tap = 0; tap < kTaps; ++tap) {
@3@                    const std::int64_t d =@depthPlace@;
@3@                    const std::int64_t h =@rowPlace@;
@3@                    if (d < 0 || d >= kDepth || h < 0 || h >= kHeight)
@2@                    const std::int64_t h =@rowPlace@;
@2@                    if (h < 0 || h >= kHeight)
                        continue; // padding
@3@                    const @memory@ *const from = in + d * @stepD@ + h * @stepH@;
@2@                    const @memory@ *const from = in + h * @stepH@;
                    const std::int64_t left = tap % kTapsAcross * kDilationW - kPaddingW;
                    // Where the input has no padding no question is left in the loop: vector code.
                    const std::int64_t first = left < 0 ? (-left + kStrideW - 1) / kStrideW : 0;
                    const std::int64_t inside = kWidth - left; // places * kStrideW stay below it
                    const std::int64_t last =
                        inside <= 0 ? 0 : std::min(kOutWidth, (inside + kStrideW - 1) / kStrideW);
                    const @compute@ filter = @filter@;
#pragma omp simd
                    for (std::int64_t column = first; column < last; ++column)
                        sums[column] += filter * @value@;
@beside@                }
@firstPlace@                for (std::int64_t column = 0; column < kOutWidth; ++column)@open@
@statements@@close@            }
        }
    }
    return 0;
}
)");
}

} // namespace warpwright
