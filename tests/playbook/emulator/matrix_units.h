// SPDX-License-Identifier: GPL-3.0-or-later
// One instruction of the matrix units for a warp, as PTX tells it: which thread holds which elements. And
// copies into shared memory, which are there at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct alignas(8) uint2 {
    unsigned x, y;
};
struct alignas(8) float2 {
    float x, y;
};
inline float2 make_float2(float x, float y) {
    return {x, y};
}
struct alignas(16) float4 {
    float x, y, z, w;
};

inline void __pipeline_memcpy_async(void *to, const void *from, std::size_t bytes, std::size_t zeros = 0) {
    std::memcpy(to, from, bytes - zeros);
    std::memset(static_cast<char *>(to) + bytes - zeros, 0, zeros);
}
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(std::size_t) {}

namespace emulator {

struct Rows {
    unsigned at[4];
};
struct Columns {
    unsigned at[2];
};

/// `inner` elements a sum, `ofRegister` in each register, which `valueOf` reads.
template <unsigned inner, unsigned ofRegister, typename ValueOf>
void multiplied(float (&sums)[4], const unsigned (&rows)[4], unsigned first, unsigned second,
                ValueOf valueOf) {
    Block &block = Block::ofThisThread();
    Rows allRows[warpSize];
    Columns allColumns[warpSize];
    block.shared(Rows{{rows[0], rows[1], rows[2], rows[3]}}, allRows);
    block.shared(Columns{{first, second}}, allColumns);
    constexpr unsigned half = inner / 2; // a thread has elements of both halves
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned row = block.lane() / 4 + i / 2 * 8;
        const unsigned column = block.lane() % 4 * 2 + i % 2;
        for (unsigned k = 0; k < inner; ++k) {
            const unsigned thread = k % half / ofRegister;
            const unsigned a = allRows[row % 8 * 4 + thread].at[row / 8 + k / half * 2];
            const unsigned b = allColumns[column * 4 + thread].at[k / half];
            sums[i] += valueOf(a, k % ofRegister) * valueOf(b, k % ofRegister);
        }
    }
}

inline void mmaF16(float (&sums)[4], const unsigned (&rows)[4], unsigned first, unsigned second) {
    multiplied<16, 2>(sums, rows, first, second, [](unsigned pair, unsigned which) {
        return __half2float(std::bit_cast<__half>(static_cast<std::uint16_t>(pair >> 16 * which)));
    });
}
inline void mmaBf16(float (&sums)[4], const unsigned (&rows)[4], unsigned first, unsigned second) {
    multiplied<16, 2>(sums, rows, first, second, [](unsigned pair, unsigned which) {
        return __uint_as_float(pair >> 16 * which << 16);
    });
}
/// The last 13 bits of a mantissa do not count.
inline void mmaTf32(float (&sums)[4], const unsigned (&rows)[4], unsigned first, unsigned second) {
    multiplied<8, 1>(sums, rows, first, second,
                     [](unsigned bits, unsigned) { return __uint_as_float(bits & 0xffffe000u); });
}

/// Squares of 8 by 8 elements of 16 bits; `isTurned`: a thread gets neighbours of a column.
inline void squares(unsigned (&all)[4], const void *row, bool isTurned) {
    Block &block = Block::ofThisThread();
    const void *rows[warpSize];
    block.shared(row, rows);
    const unsigned one = block.lane() / 4;
    const unsigned other = block.lane() % 4 * 2;
    for (unsigned square = 0; square < 4; ++square) {
        const auto element = [&](unsigned r, unsigned c) -> unsigned {
            return static_cast<const std::uint16_t *>(rows[square * 8 + r])[c];
        };
        all[square] = isTurned ? element(other, one) | element(other + 1, one) << 16
                               : element(one, other) | element(one, other + 1) << 16;
    }
}
inline void ldmatrixX4(unsigned (&all)[4], const void *row) {
    squares(all, row, false);
}
inline void ldmatrixX4TransposedTrans(unsigned (&all)[4], const void *row) {
    squares(all, row, true);
}

} // namespace emulator
