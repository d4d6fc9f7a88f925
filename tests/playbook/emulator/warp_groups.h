// SPDX-License-Identifier: GPL-3.0-or-later
// What four warps do together on compute capability 9.0: multiply by wgmma, meet, and hand registers to each
// other. Products are done as late as can be, when somebody waits for them: sums that are read before, shared
// memory that is given away before, and registers that are written over before, show in the result.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace emulator {

constexpr unsigned groupWarps = 4;
constexpr unsigned warpRows = 16;   ///< of a product's 64
constexpr unsigned sliceBytes = 32; ///< of each row of both matrices

struct F16 {
    static constexpr unsigned bytes = 2;
    static float value(const unsigned char *place) {
        __half half;
        std::memcpy(&half, place, sizeof half);
        return __half2float(half);
    }
};
struct Bf16 {
    static constexpr unsigned bytes = 2;
    static float value(const unsigned char *place) {
        __nv_bfloat16 half;
        std::memcpy(&half, place, sizeof half);
        return __bfloat162float(half);
    }
};
struct Tf32 {
    static constexpr unsigned bytes = 4;
    static float value(const unsigned char *place) { // the last 13 bits of a mantissa do not count
        std::uint32_t bits;
        std::memcpy(&bits, place, sizeof bits);
        return __uint_as_float(bits & 0xffffe000u);
    }
};

/// A thread's part of a first matrix that does not come from shared memory: where it is, for what is in it
/// counts when the product is done.
using Registers = std::array<const std::uint32_t *, 4>;

/// A thread's part of a product that is under way. The sums have the others' places in their order.
struct Product {
    std::uint64_t first, second; ///< `first`: 0 where it is in `registers`
    Registers registers;
    bool goesOn;
    std::vector<float *> sums;
    void (*finish)(const std::array<const Product *, warpSize> &lanes, unsigned warp);
};

struct GroupThread {
    std::deque<Product> products;   ///< under way
    std::deque<std::size_t> groups; ///< how many of them are one group each
    std::size_t open = 0;           ///< and how many of no group yet
    std::vector<Product> spare;     ///< their lists have room
    std::vector<std::pair<const std::uint32_t *, std::uint32_t>> fenced; ///< registers, as they were then
    bool isFenced = false;
    unsigned registers = 0;
};
struct GroupBlock {
    struct Meeting {
        unsigned arrived = 0;
        unsigned turn = 0;
    };
    std::array<Meeting, 16> meetings;
    unsigned freeRegisters = 0;
};

/// A matrix descriptor: 8 rows of a matrix whose elements of one sum lie side by side.
struct Described {
    explicit Described(std::uint64_t bits)
        : start(bytes(bits)), leading(bytes(bits >> 16)), stride(bytes(bits >> 32)), mode(bits >> 62) {
        if ((bits >> 49 & 7) != 0 || mode > 1)
            fail("a matrix descriptor of a kind that is not emulated");
    }
    /// Where 16 bytes of a row are: crosswise or, without that, in squares of 8 rows by 16 bytes.
    std::uint32_t at(unsigned row, unsigned part) const {
        return mode == 1 ? crosswise(start + row / 8 * stride + row % 8 * 128 + part * 16)
                         : start + row / 8 * stride + part * leading + row % 8 * 16;
    }
    static std::uint32_t bytes(std::uint64_t bits) { return static_cast<std::uint32_t>(bits & 0x3fff) << 4; }

    std::uint32_t start, leading, stride;
    std::uint64_t mode;
};

/// `count` rows, turned: all rows' first elements, then their second ones.
template <typename Element>
void readRows(float *to, const Described &matrix, unsigned first, unsigned count) {
    for (unsigned row = 0; row < count; ++row)
        for (unsigned part = 0; part < sliceBytes / 16; ++part) {
            const unsigned char *const from = sharedAt(matrix.at(first + row, part), 16);
            constexpr unsigned elements = 16 / Element::bytes;
            for (unsigned i = 0; i < elements; ++i)
                to[(part * elements + i) * count + row] = Element::value(from + i * Element::bytes);
        }
}

/// A warp's rows of a first matrix, turned as above. Thread l has rows l / 4 and l / 4 + 8: first of 16
/// bytes, of which register l % 4 is its own, then of the next 16.
template <typename Element>
void readRegisters(float *to, const std::array<const Product *, warpSize> &lanes) {
    constexpr unsigned elements = 4 / Element::bytes;
    for (unsigned lane = 0; lane < warpSize; ++lane)
        for (unsigned number = 0; number < 4; ++number) {
            unsigned char bytes[4];
            std::memcpy(bytes, lanes[lane]->registers[number], sizeof bytes);
            const unsigned row = lane / 4 + number % 2 * 8;
            const unsigned part = lane % 4 + number / 2 * 4;
            for (unsigned i = 0; i < elements; ++i)
                to[(part * elements + i) * warpRows + row] = Element::value(bytes + i * Element::bytes);
        }
}

/// `count` columns of what is summed over, whose neighbours lie side by side: 64 of them in a row of 128
/// bytes, the next 64 further on.
template <typename Element>
void readTurned(float *to, const Described &matrix, unsigned first, unsigned count) {
    constexpr unsigned ofRow = 128 / Element::bytes;
    if (matrix.mode != 1)
        fail("a matrix descriptor of a kind that is not emulated");
    for (unsigned k = 0; k < sliceBytes / Element::bytes; ++k)
        for (unsigned column = first; column < first + count; ++column) {
            const std::uint32_t row =
                matrix.start + column / ofRow * matrix.leading + k / 8 * matrix.stride + k % 8 * 128;
            to[k * count + column - first] =
                Element::value(sharedAt(crosswise(row + column % ofRow * Element::bytes), Element::bytes));
        }
}

/// All sums of a row; by itself, for the compiler makes vector code of it.
template <unsigned columns, unsigned inner>
__attribute__((optimize("O3"), noinline)) void sumRow(float *sums, const float *row, const float *second) {
    std::fill(sums, sums + columns, 0.0f);
    for (unsigned k = 0; k < inner; ++k)
        for (unsigned column = 0; column < columns; ++column)
            sums[column] += row[k * warpRows] * second[k * columns + column];
}

/// A warp's 16 rows of a product. Thread l has, of every 8 columns, neighbours 2 (l % 4) in rows l / 4 and l
/// / 4 + 8.
template <unsigned columns, typename Element, bool isInRegisters, bool isTurned = false,
          bool isFirstTurned = false>
void finishProduct(const std::array<const Product *, warpSize> &lanes, unsigned warp) {
    constexpr unsigned inner = sliceBytes / Element::bytes;
    static thread_local float first[warpRows * inner], second[columns * inner];
    if constexpr (isInRegisters)
        readRegisters<Element>(first, lanes);
    else if constexpr (isFirstTurned)
        readTurned<Element>(first, Described(lanes[0]->first), warp % groupWarps * warpRows, warpRows);
    else
        readRows<Element>(first, Described(lanes[0]->first), warp % groupWarps * warpRows, warpRows);
    if constexpr (isTurned)
        readTurned<Element>(second, Described(lanes[0]->second), 0, columns);
    else
        readRows<Element>(second, Described(lanes[0]->second), 0, columns);
    for (unsigned row = 0; row < warpRows; ++row) {
        float sums[columns];
        sumRow<columns, inner>(sums, first + row, second);
        for (unsigned column = 0; column < columns; ++column) {
            const Product &lane = *lanes[row % 8 * 4 + column % 8 / 2];
            float &result = *lane.sums[column / 8 * 4 + row / 8 * 2 + column % 2];
            result = lane.goesOn ? result + sums[column] : sums[column];
        }
    }
}

inline void fenceProducts() {
    GroupThread &thread = Block::ofThisThread().ofThread<GroupThread>();
    thread.isFenced = true;
    for (auto &[place, bits] : thread.fenced)
        bits = *place;
}

/// One more product that is under way, whose first matrix is still to be said.
template <unsigned columns>
Product &beginProduct(GroupThread &thread, const std::array<float *, columns / 2> &sums, std::uint64_t second,
                      bool goesOn, bool isEmulated) {
    if (!thread.isFenced)
        fail("products without a fence before them");
    if (!isEmulated)
        fail("a product of a kind that is not emulated");
    Product product;
    if (!thread.spare.empty()) {
        product = std::move(thread.spare.back());
        thread.spare.pop_back();
    }
    product.second = second;
    product.goesOn = goesOn;
    product.sums.assign(sums.begin(), sums.end());
    thread.products.push_back(std::move(product));
    ++thread.open;
    return thread.products.back();
}

/// wgmma.mma_async, both matrices in shared memory; halves may lie the other way around.
template <unsigned columns, typename Element>
void multiplyGroup(const std::array<float *, columns / 2> &sums, std::uint64_t first, std::uint64_t second,
                   bool goesOn, int sign, int otherSign, int turn = 0, int otherTurn = 0) {
    GroupThread &thread = Block::ofThisThread().ofThread<GroupThread>();
    const bool isEmulated =
        sign == 1 && otherSign == 1 && (Element::bytes == 2 || (turn == 0 && otherTurn == 0));
    Product &product = beginProduct<columns>(thread, sums, second, goesOn, isEmulated);
    product.first = first;
    product.finish = turn == 0 ? (otherTurn == 0 ? &finishProduct<columns, Element, false>
                                                 : &finishProduct<columns, Element, false, true>)
                               : (otherTurn == 0 ? &finishProduct<columns, Element, false, false, true>
                                                 : &finishProduct<columns, Element, false, true, true>);
}

/// The same, the first matrix in registers. The fence has to come behind what wrote them; that is seen of
/// registers that were in a product before.
template <unsigned columns, typename Element>
void multiplyRegisters(const std::array<float *, columns / 2> &sums, const Registers &first,
                       std::uint64_t second, bool goesOn, int sign, int otherSign, int otherTurn = 0) {
    GroupThread &thread = Block::ofThisThread().ofThread<GroupThread>();
    const bool isTurned = Element::bytes == 2 && otherTurn == 1; // of floats there is no such product
    const bool isEmulated = sign == 1 && otherSign == 1 && (otherTurn == 0 || isTurned);
    Product &product = beginProduct<columns>(thread, sums, second, goesOn, isEmulated);
    product.first = 0;
    product.registers = first;
    product.finish =
        isTurned ? &finishProduct<columns, Element, true, true> : &finishProduct<columns, Element, true>;
    for (const std::uint32_t *place : first) {
        const auto known = std::find_if(thread.fenced.begin(), thread.fenced.end(),
                                        [place](const auto &one) { return one.first == place; });
        if (known == thread.fenced.end())
            thread.fenced.emplace_back(place, *place);
        else if (known->second != *place)
            fail("a product's register that was written after the fence");
    }
}

inline void commitProducts() {
    GroupThread &thread = Block::ofThisThread().ofThread<GroupThread>();
    thread.groups.push_back(thread.open);
    thread.open = 0;
}

/// The next product of all threads of a warp.
inline void finishNext(GroupThread *const (&threads)[warpSize], unsigned warp) {
    std::array<const Product *, warpSize> lanes;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
        lanes[lane] = &threads[lane]->products.front();
        if (lanes[lane]->first != lanes[0]->first || lanes[lane]->second != lanes[0]->second ||
            lanes[lane]->goesOn != lanes[0]->goesOn || lanes[lane]->finish != lanes[0]->finish)
            fail("threads of a warp that ask for different products");
    }
    lanes[0]->finish(lanes, warp);
    for (GroupThread *thread : threads) {
        thread->spare.push_back(std::move(thread->products.front()));
        thread->products.pop_front();
    }
}

/// Until all groups of products but the last `left` are done: the first thread of a warp does those of all.
inline void waitForProducts(unsigned left) {
    Block &block = Block::ofThisThread();
    GroupThread &thread = block.ofThread<GroupThread>();
    GroupThread *threads[warpSize];
    block.shared(&thread, threads);
    if (block.lane() == 0)
        while (thread.groups.size() > left) {
            for (const GroupThread *one : threads)
                if (one->groups != thread.groups)
                    fail("threads of a warp that ask for different products");
            for (std::size_t i = 0; i < thread.groups.front(); ++i)
                finishNext(threads, block.number() / warpSize);
            for (GroupThread *one : threads)
                one->groups.pop_front();
        }
    if (left == 0) // sums may be used
        thread.isFenced = false;
    block.wait(State::InWarp);
}

/// bar.sync
inline void meet(unsigned barrier, unsigned threads) {
    Block &block = Block::ofThisThread();
    auto &meetings = block.ofBlock<GroupBlock>().meetings;
    if (barrier >= meetings.size() || threads % warpSize != 0)
        fail("a barrier that there is not");
    GroupBlock::Meeting &meeting = meetings[barrier];
    const unsigned turn = meeting.turn;
    if (++meeting.arrived == threads) {
        meeting.arrived = 0;
        ++meeting.turn;
    }
    block.waitUntil([&meeting, turn] { return meeting.turn != turn; });
}

/// setmaxnreg: each thread was launched with as many as all can have, and takes what others gave back.
inline void haveRegisters(unsigned count, bool isMore) {
    Block &block = Block::ofThisThread();
    GroupThread &thread = block.ofThread<GroupThread>();
    unsigned &free = block.ofBlock<GroupBlock>().freeRegisters;
    const unsigned before = thread.registers == 0 ? 65536 / block.threads() / 8 * 8 : thread.registers;
    if (count % 8 != 0 || count < 24 || count > 256 || (isMore ? count < before : count > before))
        fail("a number of registers that a thread cannot have");
    if (isMore)
        block.waitUntil([&free, count, before] { return free >= count - before; });
    free = free + before - count;
    thread.registers = count;
}

} // namespace emulator
