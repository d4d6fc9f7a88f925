// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the playbook's CUDA kernels on a CPU, so that their numbers are tested where there is no GPU: every
// thread of a block is a fiber, and a cluster's blocks are threads of the machine. What it says nothing
// about: time, local and other shared memory that is read before it was written, and races within a warp.
#pragma once

#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __shared__ static thread_local
#define __grid_constant__

using std::isinf; // as CUDA has them: without a namespace
using std::isnan;
using std::max;
using std::min;

struct dim3 {
    dim3(std::int64_t width = 1, unsigned height = 1, unsigned depth = 1)
        : x(static_cast<unsigned>(width)), y(height), z(depth) {}
    unsigned x, y, z;
};

using cudaStream_t = void *;
using cudaError_t = int;
enum { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaDevAttrMultiProcessorCount = 16 };
inline int cudaGetDevice(int *device) {
    *device = 0;
    return cudaSuccess;
}
inline int cudaDeviceGetAttribute(int *value, int, int) {
    *value = 3; // few, so that a small kernel's threads go round their loops
    return cudaSuccess;
}
enum { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
template <typename Kernel>
int cudaFuncSetAttribute(Kernel, int, int) {
    return cudaSuccess;
}
enum { cudaMemcpyDeviceToDevice = 3 };
inline int cudaMemsetAsync(void *to, int value, std::size_t size, cudaStream_t) {
    std::memset(to, value, size);
    return cudaSuccess;
}
inline int cudaMemcpyAsync(void *to, const void *from, std::size_t size, int, cudaStream_t) {
    std::memcpy(to, from, size);
    return cudaSuccess;
}
template <typename T>
T atomicAdd(T *place, T value) { // blocks outside a cluster run one after the other
    const T before = *place;
    *place = before + value;
    return before;
}
template <typename T>
T atomicMax(T *place, T value) {
    const T before = *place;
    *place = before < value ? value : before;
    return before;
}
template <typename T>
T atomicMin(T *place, T value) {
    const T before = *place;
    *place = value < before ? value : before;
    return before;
}
inline int cudaGetLastError() {
    return cudaSuccess;
}

template <typename T>
T __ldcs(const T *value) {
    return *value;
}
template <typename T>
T __ldca(const T *value) {
    return *value;
}

inline thread_local dim3 threadIdx, blockIdx, blockDim, gridDim;

namespace emulator {

constexpr unsigned warpSize = 32;
constexpr std::size_t stackBytes = 128 * 1024;
constexpr std::size_t mostShared = 227 * 1024; ///< that a block may ask for
constexpr std::size_t guardBytes = 4096;       ///< behind it, that nobody may touch
constexpr unsigned char untouched = 0xFF;      ///< of shared memory: not a number, in each type

enum class State { Ready, InWarp, InBlock, InCluster, Until, Done };

struct Fiber {
    ucontext_t beginning;
    jmp_buf place; ///< where it goes on
    bool hasBegun = false;
    std::unique_ptr<char[]> stack;
    dim3 index;
    State state = State::Ready;
    std::function<bool()> isOver; ///< what it waits for: State::Until
    unsigned exchanges = 0;
    std::shared_ptr<void> own; ///< as Block::ofThread() says
};

struct Cluster {
    explicit Cluster(unsigned blocks) : anchors(blocks), meeting(blocks) {}
    std::vector<char *> anchors; ///< where each block's own memory is
    std::barrier<> meeting;
};

[[noreturn]] inline void fail(const char *what) {
    std::fprintf(stderr, "emulated kernel: %s\n", what);
    std::abort();
}

/// The launcher's choice: $EMULATED_CONFIG instead of what it is asked for.
inline int chosen(int config) {
    const char *text = std::getenv("EMULATED_CONFIG");
    return text == nullptr ? config : std::atoi(text);
}

class Block {
public:
    void run(dim3 shape, const std::function<void()> &kernel, Cluster *cluster, unsigned rank,
             std::size_t sharedBytes) {
        m_kernel = &kernel;
        m_cluster = cluster;
        m_rank = rank;
        m_live = shape.x * shape.y * shape.z;
        m_sharedBytes = sharedBytes;
        m_hasShared = false;
        m_own.reset();
        m_chance.seed(1 + chosen(0) * 1009 + blockIdx.x);
        while (m_fibers.size() < m_live) {
            m_fibers.push_back(std::make_unique<Fiber>());
            m_fibers.back()->stack.reset(new char[stackBytes]);
        }
        m_values.resize((m_live + warpSize) * 32);
        for (unsigned i = 0; i < m_live; ++i) {
            Fiber &fiber = *m_fibers[i];
            fiber.index = dim3(i % shape.x, i / shape.x % shape.y, i / shape.x / shape.y);
            fiber.state = State::Ready;
            fiber.exchanges = 0;
            fiber.own.reset();
        }
        while (step()) {
        }
        if (!m_later.empty())
            fail("a block ends, and what it asked for is still on its way");
        for (std::size_t i = m_sharedBytes; m_hasShared && i < mostShared + guardBytes; ++i)
            if (m_shared.get()[i] != untouched)
                fail("a block writes behind its shared memory");
    }

    /// Not swapcontext(): that asks the kernel for masks of signals each time.
    __attribute__((noinline)) void wait(State what) {
        m_running->state = what;
        if (_setjmp(m_running->place) == 0)
            _longjmp(m_scheduler, 1);
    }

    template <typename IsOver>
    void waitUntil(const IsOver &isOver) {
        if (isOver())
            return;
        m_running->isOver = isOver;
        wait(State::Until);
    }

    /// Work of another unit: at once, or as late as can be, when all threads wait.
    void leave(std::function<void()> work) {
        if (chance(2) == 0)
            work();
        else
            m_later.push_back(std::move(work));
    }

    template <typename T>
    T exchanged(T value, unsigned lane) {
        put(value);
        std::memcpy(&value, valueOf(lane % warpSize), sizeof(T));
        return value;
    }

    /// What each thread of the warp has for `value`.
    template <typename T>
    void shared(T value, T (&all)[warpSize]) {
        put(value);
        for (unsigned lane = 0; lane < warpSize; ++lane)
            std::memcpy(&all[lane], valueOf(lane), sizeof(T));
    }

    /// The block's shared memory, where a launch says how much it is.
    unsigned char *sharedMemory() {
        if (!m_hasShared) {
            if (m_sharedBytes > mostShared)
                fail("more shared memory than there is");
            if (m_shared == nullptr)
                m_shared.reset(
                    static_cast<unsigned char *>(std::aligned_alloc(1024, mostShared + guardBytes)));
            std::memset(m_shared.get(), untouched, mostShared + guardBytes);
            m_hasShared = true;
        }
        return m_shared.get();
    }
    std::size_t sharedBytes() const { return m_sharedBytes; }

    /// What warp_groups.h keeps for the block, and for the thread that runs.
    template <typename T>
    T &ofBlock() {
        return kept<T>(m_own);
    }
    template <typename T>
    T &ofThread() {
        return kept<T>(m_running->own);
    }

    unsigned lane() const { return m_number % warpSize; }
    unsigned number() const { return m_number; }
    unsigned threads() const { return m_live; }
    Cluster &cluster() const { return *m_cluster; }
    unsigned rank() const { return m_rank; }
    static Block &ofThisThread() {
        static thread_local Block block;
        return block;
    }

private:
    /// A fiber's whole life: one block's thread after the other.
    static void begin() {
        Block &block = ofThisThread();
        for (;;) {
            (*block.m_kernel)();
            block.wait(State::Done);
        }
    }

    unsigned chance(unsigned among) { return m_chance() / 16 % among; }

    template <typename T>
    static T &kept(std::shared_ptr<void> &place) {
        if (place == nullptr)
            place = std::make_shared<T>();
        return *static_cast<T *>(place.get());
    }

    /// Two slots for each thread: nobody puts into one before all have read what was in it.
    char *slot(unsigned thread) { return &m_values[(2 * thread + m_running->exchanges % 2) * 16]; }
    template <typename T>
    void put(T value) {
        static_assert(sizeof(T) <= 16);
        ++m_running->exchanges;
        std::memcpy(slot(m_number), &value, sizeof(T));
        wait(State::InWarp);
    }
    const char *valueOf(unsigned lane) { return slot(m_number / warpSize * warpSize + lane); }

    __attribute__((noinline)) void goOn(Fiber &fiber) {
        if (_setjmp(m_scheduler) != 0)
            return;
        if (fiber.hasBegun)
            _longjmp(fiber.place, 1);
        fiber.hasBegun = true;
        getcontext(&fiber.beginning);
        fiber.beginning.uc_stack.ss_sp = fiber.stack.get();
        fiber.beginning.uc_stack.ss_size = stackBytes;
        makecontext(&fiber.beginning, &Block::begin, 0);
        setcontext(&fiber.beginning);
    }

    /// Whether any of the warp's threads could go on.
    bool stepWarp(unsigned first, unsigned end) {
        bool hasMoved = false;
        for (unsigned i = first; i < end; ++i) {
            Fiber &fiber = *m_fibers[i];
            if (fiber.state == State::Until && fiber.isOver())
                fiber.state = State::Ready;
            if (fiber.state == State::Ready) {
                m_number = i;
                m_running = &fiber;
                threadIdx = fiber.index;
                goOn(fiber);
                hasMoved = true;
            }
        }
        return release(first, end, State::InWarp, true) || hasMoved;
    }

    /// A warp goes as far as it can before the next one, whichever that is: who relies on an order shows.
    bool step() {
        bool hasMoved = false;
        const unsigned warps = (m_live + warpSize - 1) / warpSize;
        const unsigned begin = chance(warps);
        const bool isBackwards = chance(2) == 0;
        for (unsigned i = 0; i < warps; ++i) {
            const unsigned first = (begin + (isBackwards ? warps - i : i)) % warps * warpSize;
            while (stepWarp(first, std::min(first + warpSize, m_live)))
                hasMoved = true;
        }
        const bool isAnyLeft = !all(0, m_live, State::Done);
        hasMoved = release(0, m_live, State::InBlock, false) || hasMoved;
        if (all(0, m_live, State::InCluster)) {
            m_cluster->meeting.arrive_and_wait();
            hasMoved = release(0, m_live, State::InCluster, true) || hasMoved;
        }
        if (isAnyLeft && !hasMoved && !m_later.empty()) {
            const auto next = m_later.begin() + chance(static_cast<unsigned>(m_later.size()));
            const std::function<void()> work = std::move(*next);
            m_later.erase(next);
            work();
            hasMoved = true;
        }
        if (isAnyLeft && !hasMoved)
            fail("threads wait for others that wait elsewhere");
        return isAnyLeft;
    }

    bool all(unsigned first, unsigned end, State state) const {
        for (unsigned i = first; i < end; ++i)
            if (m_fibers[i]->state != state)
                return false;
        return true;
    }

    /// Those that wait go on once all do; `needsAll`: one that has ended is one that is missing.
    bool release(unsigned first, unsigned end, State state, bool needsAll) {
        unsigned waiting = 0;
        unsigned ended = 0;
        for (unsigned i = first; i < end; ++i) {
            waiting += m_fibers[i]->state == state;
            ended += m_fibers[i]->state == State::Done;
        }
        if (waiting == 0 || waiting + ended < end - first)
            return false;
        if (needsAll && ended > 0)
            fail("a warp exchanges values, and some of its threads have ended");
        for (unsigned i = first; i < end; ++i)
            if (m_fibers[i]->state == state)
                m_fibers[i]->state = State::Ready;
        return true;
    }

    struct Free {
        void operator()(unsigned char *memory) const { std::free(memory); }
    };

    jmp_buf m_scheduler;
    std::vector<std::unique_ptr<Fiber>> m_fibers;
    std::vector<char> m_values;
    std::vector<std::function<void()>> m_later;
    std::minstd_rand m_chance; ///< each config is another order of what may come in any
    std::unique_ptr<unsigned char, Free> m_shared;
    std::shared_ptr<void> m_own;
    std::size_t m_sharedBytes = 0;
    bool m_hasShared = false;
    const std::function<void()> *m_kernel = nullptr;
    Cluster *m_cluster = nullptr;
    Fiber *m_running = nullptr;
    unsigned m_rank = 0;
    unsigned m_live = 0;
    unsigned m_number = 0;
};

inline thread_local char anchor; ///< a block's own variables lie at the same distance from it in each

inline void launch(dim3 grid, dim3 block, unsigned clustered, std::size_t sharedBytes,
                   const std::function<void()> &kernel) {
    const auto prepare = [&](unsigned x, unsigned y) {
        gridDim = grid;
        blockDim = block;
        blockIdx = dim3(x, y);
    };
    if (grid.x % clustered != 0)
        fail("the grid is not made of whole clusters");
    Cluster cluster(clustered);
    const auto runAll = [&](unsigned rank) {
        cluster.anchors[rank] = &anchor;
        for (unsigned y = 0; y < grid.y; ++y)
            for (unsigned x = 0; x < grid.x; x += clustered) {
                cluster.meeting.arrive_and_wait(); // one cluster after the other
                prepare(x + rank, y);
                Block::ofThisThread().run(block, kernel, &cluster, rank, sharedBytes);
            }
    };
    if (clustered == 1)
        return runAll(0);
    std::vector<std::thread> blocks;
    for (unsigned rank = 0; rank < clustered; ++rank)
        blocks.emplace_back(runAll, rank);
    for (std::thread &one : blocks)
        one.join();
}

} // namespace emulator

enum { cudaLaunchAttributeProgrammaticStreamSerialization = 6 };
struct cudaLaunchAttribute {
    int id;
    struct {
        int programmaticStreamSerializationAllowed;
    } val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    std::size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};
template <typename... Parameters, typename... Arguments>
int cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                       Arguments... arguments) {
    emulator::launch(config->gridDim, config->blockDim, 1, config->dynamicSmemBytes,
                     [&] { kernel(arguments...); });
    return cudaSuccess;
}

inline void __syncthreads() {
    emulator::Block::ofThisThread().wait(emulator::State::InBlock);
}
inline void __syncwarp() {
    emulator::Block::ofThisThread().wait(emulator::State::InWarp);
}
template <typename T>
T __shfl_xor_sync(unsigned, T value, int distance) {
    emulator::Block &block = emulator::Block::ofThisThread();
    return block.exchanged(value, block.lane() ^ static_cast<unsigned>(distance));
}
inline int __any_sync(unsigned all, int isSo, int distance = 16) {
    const int ofBoth = isSo | __shfl_xor_sync(all, isSo, distance);
    return distance > 1 ? __any_sync(all, ofBoth, distance / 2) : ofBoth;
}
template <typename T>
T __shfl_sync(unsigned, T value, int lane) {
    return emulator::Block::ofThisThread().exchanged(value, static_cast<unsigned>(lane));
}
template <typename T>
T __shfl_up_sync(unsigned, T value, int distance) {
    emulator::Block &block = emulator::Block::ofThisThread();
    const unsigned lane = block.lane();
    return block.exchanged(value, lane >= static_cast<unsigned>(distance) ? lane - distance : lane);
}
template <typename T>
T __shfl_down_sync(unsigned, T value, int distance) {
    emulator::Block &block = emulator::Block::ofThisThread();
    const unsigned further = block.lane() + static_cast<unsigned>(distance);
    return block.exchanged(value, further < 32 ? further : block.lane());
}

inline void __cluster_barrier_arrive() {}
inline void __cluster_barrier_arrive_relaxed() {}
inline void __cluster_barrier_wait() {
    emulator::Block::ofThisThread().wait(emulator::State::InCluster);
}
inline unsigned __clusterRelativeBlockRank() {
    return emulator::Block::ofThisThread().rank();
}
inline void *__cluster_map_shared_rank(void *mine, unsigned rank) {
    const auto distance = static_cast<char *>(mine) - &emulator::anchor;
    return emulator::Block::ofThisThread().cluster().anchors[rank] + distance;
}

inline float erfinvf(float x) {
    if (!(x > -1.0f && x < 1.0f))
        return x == 1.0f ? INFINITY : x == -1.0f ? -INFINITY : NAN;
    double low = -6, high = 6;
    for (int step = 0; step < 80; ++step)
        (std::erf((low + high) / 2) < x ? low : high) = (low + high) / 2;
    return float(low);
}

// As the device's: no answer for the largest divisors.
inline float __fdividef(float a, float b) {
    const float size = std::fabs(b);
    return size > 0x1p126f && size <= 3.4028235e38f ? 0.0f * a : a / b;
}

#include "tests/playbook/emulator/floats.h"
#include "tests/playbook/emulator/matrix_units.h"

#include "tests/playbook/emulator/copy_engine.h"

#include "tests/playbook/emulator/warp_groups.h"
