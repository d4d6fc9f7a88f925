// SPDX-License-Identifier: GPL-3.0-or-later
// The copy engine of compute capability 9.0 (TMA) and the barriers in shared memory that count what it
// brought, as PTX and the driver's cuTensorMapEncodeTiled() describe them. A box comes at once, or as late as
// can be: who does not wait for it reads what was there before, and what is still being read is written over.
#pragma once

#include <algorithm>
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

/// A matrix in memory, or several: along what lies side by side, then down, then from one to the next.
struct alignas(64) CUtensorMap {
    const unsigned char *memory;
    std::uint32_t rank;
    std::uint64_t sizes[3] = {1, 1, 1};
    std::uint64_t strides[2]; ///< bytes: down, and to the next matrix
    std::uint32_t box[3] = {1, 1, 1};
    unsigned elementBytes;
    bool isRounded; ///< to TF32
    bool isCrosswise;
};

inline CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                                       void *memory, const cuuint64_t *sizes, const cuuint64_t *strides,
                                       const cuuint32_t *box, const cuuint32_t *apart, CUtensorMapInterleave,
                                       CUtensorMapSwizzle swizzle, CUtensorMapL2promotion,
                                       CUtensorMapFloatOOBfill) {
    if (rank != 2 && rank != 3) // others are allowed, but not emulated
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

enum cudaDriverEntryPointQueryResult { cudaDriverEntryPointSuccess, cudaDriverEntryPointSymbolNotFound };
enum { cudaEnableDefault = 0 };
inline int cudaGetDriverEntryPointByVersion(const char *name, void **found, unsigned, unsigned long long,
                                            cudaDriverEntryPointQueryResult *answer) {
    const bool isKnown = std::strcmp(name, "cuTensorMapEncodeTiled") == 0;
    *found = isKnown ? reinterpret_cast<void *>(&cuTensorMapEncodeTiled) : nullptr;
    *answer = isKnown ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
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
/// barrier is told of all of it.
inline void bringBox(std::uint32_t to, const CUtensorMap &map, int along, int down, int deep,
                     std::uint32_t barrier) {
    const std::uint32_t rowBytes = map.box[0] * map.elementBytes;
    const std::uint32_t rows = map.box[1] * map.box[2];
    const std::size_t bytes = std::size_t(rowBytes) * rows;
    unsigned char *const shared = sharedAt(to, (bytes + 127) / 128 * 128); // crosswise is within 128 bytes
    for (std::uint32_t row = 0; row < rows; ++row) {
        const std::int64_t y = std::int64_t(down) + row % map.box[1];
        const std::int64_t z = std::int64_t(deep) + row / map.box[1];
        const bool isRowInside =
            y >= 0 && z >= 0 && y < std::int64_t(map.sizes[1]) && z < std::int64_t(map.sizes[2]);
        for (std::uint32_t i = 0; i < map.box[0]; ++i) {
            const std::int64_t x = std::int64_t(along) + i;
            std::uint32_t bits = 0;
            if (isRowInside && x >= 0 && x < std::int64_t(map.sizes[0]))
                std::memcpy(&bits,
                            map.memory + z * map.strides[1] + y * map.strides[0] + x * map.elementBytes,
                            map.elementBytes);
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
inline void copyBoxOf(std::uint32_t rank, std::uint32_t to, const CUtensorMap *map, int along, int down,
                      int deep, std::uint32_t barrier) {
    if (to % 128 != 0)
        fail("a box that does not lie at 128 bytes");
    if (map->rank != rank)
        fail("a copy in as many dimensions as its tensor map does not have");
    Block::ofThisThread().leave([=, box = *map] { bringBox(to, box, along, down, deep, barrier); });
}
inline void copyBox(std::uint32_t to, const CUtensorMap *map, int along, int down, std::uint32_t barrier) {
    copyBoxOf(2, to, map, along, down, 0, barrier);
}
inline void copyDeepBox(std::uint32_t to, const CUtensorMap *map, int along, int down, int deep,
                        std::uint32_t barrier) {
    copyBoxOf(3, to, map, along, down, deep, barrier);
}

} // namespace emulator

inline std::size_t __cvta_generic_to_shared(const void *place) {
    emulator::Block &block = emulator::Block::ofThisThread();
    return static_cast<const unsigned char *>(place) - block.sharedMemory() + emulator::sharedStart;
}
