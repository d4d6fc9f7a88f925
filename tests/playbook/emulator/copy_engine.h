// SPDX-License-Identifier: GPL-3.0-or-later
// The copy engine of compute capability 9.0 (TMA) and the barriers in shared memory that count what it
// brought, as PTX and the driver's cuTensorMapEncodeTiled() and ~Im2col() describe them. A box comes at once,
// or as late as can be: who does not wait for it reads what was there before, and what is still being read is
// written over.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

using cuuint32_t = std::uint32_t;
using cuuint64_t = std::uint64_t;
using CUresult = int;
enum { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1 };
enum CUtensorMapDataType {
    CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32
};
enum CUtensorMapInterleave { CU_TENSOR_MAP_INTERLEAVE_NONE };
enum CUtensorMapSwizzle { CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_128B };
enum CUtensorMapL2promotion {
    CU_TENSOR_MAP_L2_PROMOTION_NONE,
    CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_256B
};
enum CUtensorMapFloatOOBfill { CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE };

/// A matrix in memory, or several: along what lies side by side, then down, then from one to the next, in up
/// to three dimensions. Or images, channels first, as windows meet them: a box is then some channels of some
/// pixels.
struct alignas(64) CUtensorMap {
    const unsigned char *memory;
    std::uint32_t rank;
    std::uint64_t sizes[5] = {1, 1, 1, 1, 1};
    std::uint64_t strides[4]; ///< bytes: down, and to the next matrix
    std::uint32_t box[5] = {1, 1, 1, 1, 1};
    unsigned elementBytes;
    bool isRounded; ///< to TF32
    bool isCrosswise;
    bool isOfPixels;
    std::int32_t first[3]; ///< of windows, along each dimension of space
    std::int32_t last[3];  ///< counted from the image's last pixel
    std::uint32_t apart[3];
};

inline CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                                       void *memory, const cuuint64_t *sizes, const cuuint64_t *strides,
                                       const cuuint32_t *box, const cuuint32_t *apart, CUtensorMapInterleave,
                                       CUtensorMapSwizzle swizzle, CUtensorMapL2promotion,
                                       CUtensorMapFloatOOBfill) {
    if (rank < 2 || rank > 5) // one is allowed, but not emulated
        return CUDA_ERROR_INVALID_VALUE;
    const bool isHalf = type == CU_TENSOR_MAP_DATA_TYPE_FLOAT16 || type == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    *map = {};
    map->memory = static_cast<const unsigned char *>(memory);
    map->rank = rank;
    std::copy_n(sizes, rank, map->sizes);
    std::copy_n(strides, rank - 1, map->strides);
    std::copy_n(box, rank, map->box);
    map->elementBytes = isHalf ? 2 : 4;
    map->isRounded = type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
    map->isCrosswise = swizzle == CU_TENSOR_MAP_SWIZZLE_128B;
    const std::uint64_t rowBytes = std::uint64_t(box[0]) * map->elementBytes;
    for (cuuint32_t i = 0; i < rank; ++i)
        if (sizes[i] == 0 || sizes[i] > 1ull << 32 || box[i] == 0 || box[i] > 256 || apart[i] != 1)
            return CUDA_ERROR_INVALID_VALUE;
    for (cuuint32_t i = 0; i + 1 < rank; ++i) // in any order: rows of different matrices may take turns
        if (strides[i] % 16 != 0 || strides[i] >= 1ull << 40 || strides[i] < sizes[0] * map->elementBytes)
            return CUDA_ERROR_INVALID_VALUE;
    const bool isFine = reinterpret_cast<std::uintptr_t>(memory) % 16 == 0 && rowBytes % 16 == 0 &&
                        (!map->isCrosswise || rowBytes <= 128);
    return isFine ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

inline CUresult cuTensorMapEncodeIm2col(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                                        void *memory, const cuuint64_t *sizes, const cuuint64_t *strides,
                                        const int *first, const int *last, cuuint32_t channels,
                                        cuuint32_t pixels, const cuuint32_t *apart, CUtensorMapInterleave,
                                        CUtensorMapSwizzle swizzle, CUtensorMapL2promotion,
                                        CUtensorMapFloatOOBfill) {
    if (rank < 3 || rank > 5 || channels > 256 || channels == 0 || pixels > 1024 || pixels == 0)
        return CUDA_ERROR_INVALID_VALUE;
    const bool isHalf = type == CU_TENSOR_MAP_DATA_TYPE_FLOAT16 || type == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    *map = {};
    map->memory = static_cast<const unsigned char *>(memory);
    map->rank = rank;
    std::copy_n(sizes, rank, map->sizes);
    std::copy_n(strides, rank - 1, map->strides);
    std::copy_n(first, rank - 2, map->first);
    std::copy_n(last, rank - 2, map->last);
    std::copy_n(apart + 1, rank - 2, map->apart);
    map->box[0] = channels;
    map->box[1] = pixels;
    map->elementBytes = isHalf ? 2 : 4;
    map->isRounded = type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
    map->isCrosswise = swizzle == CU_TENSOR_MAP_SWIZZLE_128B;
    map->isOfPixels = true;
    const int corner = rank == 3 ? 1 << 15 : rank == 4 ? 1 << 7 : 1 << 4;
    for (cuuint32_t i = 0; i < rank; ++i)
        if (sizes[i] == 0 || sizes[i] > 1ull << 32 || apart[i] == 0 || apart[i] > 8)
            return CUDA_ERROR_INVALID_VALUE;
    for (cuuint32_t i = 0; i + 1 < rank; ++i)
        if (strides[i] % 16 != 0 || strides[i] >= 1ull << 40)
            return CUDA_ERROR_INVALID_VALUE;
    for (cuuint32_t i = 0; i < rank - 2; ++i)
        if (first[i] < -corner || first[i] >= corner || last[i] < -corner || last[i] >= corner ||
            first[i] > std::int64_t(sizes[1 + i]) - 1 + last[i])
            return CUDA_ERROR_INVALID_VALUE;
    const std::uint64_t rowBytes = std::uint64_t(channels) * map->elementBytes;
    const bool isFine = reinterpret_cast<std::uintptr_t>(memory) % 16 == 0 && rowBytes % 16 == 0 &&
                        (!map->isCrosswise || rowBytes <= 128);
    return isFine ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

enum cudaDriverEntryPointQueryResult { cudaDriverEntryPointSuccess, cudaDriverEntryPointSymbolNotFound };
enum { cudaEnableDefault = 0 };
inline int cudaGetDriverEntryPointByVersion(const char *name, void **found, unsigned, unsigned long long,
                                            cudaDriverEntryPointQueryResult *answer) {
    *found = std::strcmp(name, "cuTensorMapEncodeTiled") == 0
                 ? reinterpret_cast<void *>(&cuTensorMapEncodeTiled)
             : std::strcmp(name, "cuTensorMapEncodeIm2col") == 0
                 ? reinterpret_cast<void *>(&cuTensorMapEncodeIm2col)
                 : nullptr;
    *answer = *found ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
}

namespace emulator {

constexpr std::uint32_t sharedStart =
    1024; ///< of a block's shared memory in its window; before it is the system's

/// What lies at an address in the window.
inline unsigned char *sharedAt(std::uint32_t address, std::size_t bytes) {
    Block &block = Block::ofThisThread();
    if (address < sharedStart || address - sharedStart + bytes > block.sharedBytes())
        fail("an address outside of the block's shared memory");
    return block.sharedMemory() + (address - sharedStart);
}

/// 128 bytes a row, crosswise: which of its 16 bytes, and in which of 8 rows, are bits 4 to 6 and 7 to 9 of
/// the address in the window.
inline std::uint32_t crosswise(std::uint32_t address) {
    return address ^ (address >> 7 & 7) << 4;
}

/// mbarrier: 64 bits in shared memory.
struct Barrier {
    std::uint64_t phase : 1;
    std::uint64_t expected : 20; ///< arrivals for each phase
    std::uint64_t pending : 20;
    std::int64_t bytes : 21; ///< still to come
    std::uint64_t mark : 2;  ///< memory that is no barrier hardly has it
    static constexpr std::uint64_t isBarrier = 2;
};
static_assert(sizeof(Barrier) == 8);

inline Barrier &barrierAt(std::uint32_t address) {
    if (address % 8 != 0)
        fail("a barrier that does not lie at 8 bytes");
    return *reinterpret_cast<Barrier *>(sharedAt(address, sizeof(Barrier)));
}
inline Barrier &knownBarrierAt(std::uint32_t address) {
    Barrier &barrier = barrierAt(address);
    if (barrier.mark != Barrier::isBarrier)
        fail("a barrier that nobody made, or that was written over");
    return barrier;
}

inline void initBarrier(std::uint32_t address, std::uint32_t arrivals) {
    barrierAt(address) = {0, arrivals, arrivals, 0, Barrier::isBarrier};
}

inline void endPhase(Barrier &barrier) {
    if (barrier.pending != 0 || barrier.bytes != 0)
        return;
    barrier.phase ^= 1;
    barrier.pending = barrier.expected;
}
inline void expectBytes(std::uint32_t address, std::uint32_t bytes) {
    knownBarrierAt(address).bytes += bytes;
}
inline void arrive(std::uint32_t address) {
    Barrier &barrier = knownBarrierAt(address);
    if (barrier.pending == 0)
        fail("a barrier's phase has more arrivals than it was made for");
    barrier.pending -= 1;
    endPhase(barrier);
}

/// Whether the phase of this parity is over: the one that runs has the other parity. A try may take its time,
/// and so each is successful.
inline bool tryWait(std::uint32_t address, std::uint32_t parity) {
    if (parity > 1)
        fail("a parity is 0 or 1");
    Block::ofThisThread().waitUntil([=] { return knownBarrierAt(address).phase != parity; });
    return true;
}

/// Ties to even, with 10 bits of mantissa left.
inline std::uint32_t roundedToTf32(std::uint32_t bits) {
    if ((bits & 0x7f800000u) == 0x7f800000u)
        return bits;
    return (bits + 0xfffu + (bits >> 13 & 1)) & 0xffffe000u;
}

/// A box into shared memory, its matrices' rows one after the other and zeros for what lies outside; the
/// barrier is told of all of it. `at`: where it begins in each dimension.
inline void bringBox(std::uint32_t to, const CUtensorMap &map, const std::array<int, 5> &at,
                     std::uint32_t barrier) {
    const std::uint32_t rowBytes = map.box[0] * map.elementBytes;
    const std::uint32_t rows = map.box[1] * map.box[2] * map.box[3] * map.box[4];
    const std::size_t bytes = std::size_t(rowBytes) * rows;
    unsigned char *const shared = sharedAt(to, (bytes + 127) / 128 * 128); // crosswise is within 128 bytes
    for (std::uint32_t row = 0; row < rows; ++row) {
        const unsigned char *first = map.memory;
        bool isRowInside = true;
        std::uint32_t rest = row;
        for (std::size_t d = 1; d < map.rank; ++d) {
            const std::int64_t place = std::int64_t(at[d]) + rest % map.box[d];
            rest /= map.box[d];
            isRowInside = isRowInside && place >= 0 && place < std::int64_t(map.sizes[d]);
            first += place * std::int64_t(map.strides[d - 1]);
        }
        for (std::uint32_t i = 0; i < map.box[0]; ++i) {
            const std::int64_t x = std::int64_t(at[0]) + i;
            std::uint32_t bits = 0;
            if (isRowInside && x >= 0 && x < std::int64_t(map.sizes[0]))
                std::memcpy(&bits, first + x * map.elementBytes, map.elementBytes);
            if (map.isRounded)
                bits = roundedToTf32(bits);
            const std::uint32_t place = to + row * rowBytes + i * map.elementBytes;
            std::memcpy(shared + ((map.isCrosswise ? crosswise(place) : place) - to), &bits,
                        map.elementBytes);
        }
    }
    Barrier &told = knownBarrierAt(barrier);
    told.bytes -= std::int64_t(bytes);
    endPhase(told);
}
template <typename... Places>
void copyBox(std::uint32_t to, std::uint32_t barrier, const CUtensorMap *map, Places... places) {
    if (to % 128 != 0)
        fail("a box that does not lie at 128 bytes");
    if (map->rank != sizeof...(Places) || map->isOfPixels)
        fail("a copy in as many dimensions as its tensor map does not have");
    Block::ofThisThread().leave(
        [=, box = *map] { bringBox(to, box, std::array<int, 5>{int(places)...}, barrier); });
}

/// The elements of a pixel's channels that lie `offset` from where its window begins, for one window after
/// the other: along a row, then to the next row, then to the next image.
template <std::size_t RANK>
struct PixelBox {
    std::array<std::int64_t, RANK> at; ///< channel, place of the window's first pixel, image
    std::array<std::int64_t, RANK - 2> offset;
};
template <std::size_t RANK>
void bringPixels(std::uint32_t to, const CUtensorMap &map, PixelBox<RANK> box, std::uint32_t barrier) {
    constexpr std::size_t space = RANK - 2;
    const std::uint32_t rowBytes = map.box[0] * map.elementBytes;
    const std::size_t bytes = std::size_t(rowBytes) * map.box[1];
    unsigned char *const shared = sharedAt(to, (bytes + 127) / 128 * 128);
    for (std::uint32_t row = 0; row < map.box[1]; ++row) {
        const unsigned char *pixel = map.memory;
        bool isInside = box.at[RANK - 1] >= 0 && box.at[RANK - 1] < std::int64_t(map.sizes[RANK - 1]);
        for (std::size_t d = 0; d < space; ++d) {
            const std::int64_t place = box.at[1 + d] + box.offset[d];
            isInside = isInside && place >= 0 && place < std::int64_t(map.sizes[1 + d]);
            pixel += place * std::int64_t(map.strides[d]);
        }
        pixel += box.at[RANK - 1] * std::int64_t(map.strides[space]);
        for (std::uint32_t i = 0; i < map.box[0]; ++i) {
            const std::int64_t channel = box.at[0] + i;
            std::uint32_t bits = 0;
            if (isInside && channel >= 0 && channel < std::int64_t(map.sizes[0]))
                std::memcpy(&bits, pixel + channel * map.elementBytes, map.elementBytes);
            if (map.isRounded)
                bits = roundedToTf32(bits);
            const std::uint32_t place = to + row * rowBytes + i * map.elementBytes;
            std::memcpy(shared + ((map.isCrosswise ? crosswise(place) : place) - to), &bits,
                        map.elementBytes);
        }
        std::size_t d = 0;
        for (; d < space; ++d) {
            box.at[1 + d] += map.apart[d];
            if (box.at[1 + d] <= std::int64_t(map.sizes[1 + d]) - 1 + map.last[d])
                break;
            box.at[1 + d] = map.first[d];
        }
        box.at[RANK - 1] += d == space ? 1 : 0;
    }
    Barrier &told = knownBarrierAt(barrier);
    told.bytes -= std::int64_t(bytes);
    endPhase(told);
}
template <std::size_t RANK, typename... Places>
void copyPixels(std::uint32_t to, std::uint32_t barrier, std::array<const unsigned short *, RANK - 2> offsets,
                const CUtensorMap *map, Places... places) {
    static_assert(sizeof...(Places) == RANK);
    if (to % 128 != 0)
        fail("a box that does not lie at 128 bytes");
    if (map->rank != RANK || !map->isOfPixels)
        fail("a copy in as many dimensions as its tensor map does not have");
    PixelBox<RANK> box{{std::int64_t(places)...}, {}};
    for (std::size_t d = 0; d < RANK - 2; ++d) {
        box.offset[d] = *offsets[d];
        if (*offsets[d] >= (RANK == 3 ? 1 << 16 : RANK == 4 ? 1 << 8 : 1 << 5))
            fail("a pixel further from its window than the copy engine's offsets are");
    }
    Block::ofThisThread().leave([=, known = *map] { bringPixels<RANK>(to, known, box, barrier); });
}

} // namespace emulator

inline std::size_t __cvta_generic_to_shared(const void *place) {
    emulator::Block &block = emulator::Block::ofThisThread();
    return static_cast<const unsigned char *>(place) - block.sharedMemory() + emulator::sharedStart;
}
