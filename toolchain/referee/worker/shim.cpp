// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of a worker that Python cannot do: every allocation of torch lands in memory that the judge sees
// too, so that outputs are judged where they were written, without a copy inside the timed region. The same
// shim serves the baselines and the candidate, so what it costs, it costs all of them.
//
// Loaded by worker.py with ctypes; plain C symbols only.

#include "referee/base/control_page.h"
#include "referee/base/memory_channel.h"
#include "referee/device/cuda_driver.h"
#include "referee/worker/arena_blocks.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <sys/socket.h>

namespace {

using namespace warpwright;

// A block that was filled with a pattern, and is larger on both sides than what was asked for.
struct Guarded {
    uint64_t offset;
    uint64_t bytes;
};

struct Arena {
    std::mutex mutex;
    ArenaBlocks blocks;
    std::map<uint64_t, Guarded> guarded; // by the offset that was handed out
    int pattern = -1;                    // of new blocks; negative: none
    uint64_t guard = 0;                  // bytes on each side of a new block
    uint64_t base = 0;
    int socket = -1;
    int device = 0;
};

// Never destroyed: tensors that live until the interpreter ends give their blocks back after static
// destructors.
Arena &arena() {
    static Arena *const instance = new Arena;
    return *instance;
}

char problemText[512];

int fail(const std::string &text) {
    std::strncpy(problemText, text.c_str(), sizeof problemText - 1);
    return -1;
}

// Nothing here throws: an exception is raised in libc10, by torch's own function, and no frame of ours has
// anything left to clean up when it passes. A compiler with an unwinder of its own (a relocated GCC that
// links libgcc statically) would else crash the worker where torch says «out of memory».
[[noreturn]] void raise(uint32_t line) {
    c10::detail::torchCheckFail("allocate", __FILE__, line, problemText);
}

std::string mebibytes(uint64_t bytes) {
    return std::to_string(bytes >> 20) + " MiB";
}

uint64_t granular(uint64_t bytes) {
    return (bytes + ArenaBlocks::granule - 1) / ArenaBlocks::granule * ArenaBlocks::granule;
}

// ---- CPU: one sparse memfd, mapped whole; pages cost nothing until they are touched.

void freeCpuBlock(void *pointer) {
    if (pointer == nullptr)
        return;
    Arena &owner = arena();
    const std::lock_guard lock(owner.mutex);
    uint64_t offset = reinterpret_cast<uint64_t>(pointer) - owner.base;
    if (const auto found = owner.guarded.find(offset); found != owner.guarded.end()) {
        offset = found->second.offset;
        owner.guarded.erase(found);
    }
    owner.blocks.giveBack(offset);
}

// The offset within a block of `bytes` + two guards that is handed out. Under the lock.
uint64_t guardedOffset(uint64_t block, uint64_t bytes) {
    Arena &owner = arena();
    owner.guarded[block + owner.guard] = {block, bytes};
    return block + owner.guard;
}

class ArenaCpuAllocator final : public c10::Allocator {
public:
    c10::DataPtr allocate(size_t bytes) override {
        const c10::Device cpu(c10::DeviceType::CPU);
        if (bytes == 0)
            return {nullptr, nullptr, &freeCpuBlock, cpu};
        const uint64_t address = take(bytes);
        if (address == 0)
            raise(__LINE__);
        void *pointer = reinterpret_cast<void *>(address);
        return {pointer, pointer, &freeCpuBlock, cpu};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &freeCpuBlock; }
    void copy_data(void *destination, const void *source, size_t count) const override {
        default_copy_data(destination, source, count);
    }

private:
    // The address, or 0 with problemText filled.
    static uint64_t take(uint64_t bytes) {
        Arena &owner = arena();
        const std::lock_guard lock(owner.mutex);
        const uint64_t whole = owner.pattern < 0 ? bytes : bytes + 2 * owner.guard;
        if (const std::optional<uint64_t> offset = owner.blocks.take(whole, 0)) {
            if (owner.pattern < 0)
                return owner.base + *offset;
            const uint64_t given = guardedOffset(*offset, granular(whole));
            std::memset(reinterpret_cast<void *>(owner.base + *offset), owner.pattern, granular(whole));
            return owner.base + given;
        }
        fail("CPU out of memory. Tried to allocate " + mebibytes(bytes) + ". This process uses " +
             mebibytes(owner.blocks.bytesInUse()) + " of " + mebibytes(owner.blocks.bytes()) + ".");
        return 0;
    }
};

#if WARPWRIGHT_CUDA

// ---- CUDA: one reserved range of addresses, filled with memory that the judge made and sent as descriptors.

const CudaDriver &driver() {
    return CudaDriver::load();
}

// Receives a GrowAnswer and the descriptor beside it (-1 for none). False when the judge is gone.
bool receiveAnswer(int socket, GrowAnswer &answer, int &descriptor) {
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    iovec part{&answer, sizeof answer};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    ssize_t got = 0;
    do
        got = recvmsg(socket, &message, MSG_WAITALL | MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    descriptor = -1;
    if (const cmsghdr *header = CMSG_FIRSTHDR(&message); header != nullptr && header->cmsg_type == SCM_RIGHTS)
        std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    return got == static_cast<ssize_t>(sizeof answer) && answer.magic == growMagic;
}

// False with problemText filled.
bool growCudaArena(uint64_t bytes) {
    Arena &owner = arena();
    const GrowRequest request{growMagic, 0, bytes};
    GrowAnswer answer{};
    int descriptor = -1;
    if (send(owner.socket, &request, sizeof request, MSG_NOSIGNAL) != static_cast<ssize_t>(sizeof request) ||
        !receiveAnswer(owner.socket, answer, descriptor)) {
        fail("The judge does not answer: memory for a tensor cannot be had.");
        return false;
    }
    if (answer.granted != 1 || descriptor < 0) {
        fail("CUDA out of memory. Tried to allocate " + mebibytes(bytes) + ". The device has " +
             mebibytes(answer.bytes) + " free, this process uses " + mebibytes(owner.blocks.bytesInUse()) +
             ".");
        return false;
    }
    CUmemGenericAllocationHandle handle = 0;
    const CUresult imported =
        driver().importHandle(&handle, reinterpret_cast<void *>(static_cast<intptr_t>(descriptor)),
                              CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    close(descriptor);
    if (imported != CUDA_SUCCESS) {
        fail("Memory from the judge cannot be imported: " + driver().nameOf(imported));
        return false;
    }
    const std::string problem =
        driver().mapHandle(owner.base + answer.offset, answer.bytes, handle, owner.device);
    driver().release(handle); // the mapping keeps the memory
    if (!problem.empty()) {
        fail("Memory from the judge cannot be mapped: " + problem);
        return false;
    }
    owner.blocks.grow({answer.offset, answer.bytes});
    return true;
}

// A fill would become a part of the graph, and be timed with it.
bool isCapturing(uint64_t stream) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    return driver().streamIsCapturing(reinterpret_cast<CUstream>(stream), &status) != CUDA_SUCCESS ||
           status != CU_STREAM_CAPTURE_STATUS_NONE;
}

// The address, or 0 with problemText filled.
uint64_t takeOrGrow(uint64_t bytes, uint64_t stream) {
    Arena &owner = arena();
    const std::lock_guard lock(owner.mutex);
    const bool isFilled = owner.pattern >= 0 && !isCapturing(stream);
    const uint64_t whole = isFilled ? bytes + 2 * owner.guard : bytes;
    std::optional<uint64_t> offset = owner.blocks.take(whole, stream);
    if (!offset && growCudaArena(whole))
        offset = owner.blocks.take(whole, stream);
    if (!offset)
        return 0;
    if (!isFilled)
        return owner.base + *offset;
    // Waited for: a kernel on another stream that nobody joined must not be overwritten by the pattern.
    const auto handle = reinterpret_cast<CUstream>(stream);
    driver().fillBytes(owner.base + *offset, static_cast<unsigned char>(owner.pattern), granular(whole),
                       handle);
    driver().streamSynchronize(handle);
    return owner.base + guardedOffset(*offset, granular(whole));
}

#endif

} // namespace

extern "C" {

/// Why the last call of this shim returned a negative number.
const char *ww_problem() {
    return problemText;
}

/// CPU: maps the judge's arena and makes it torch's allocator. 0, or -1 with ww_problem().
int ww_arena_cpu(int descriptor, uint64_t bytes) {
    void *base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
    if (base == MAP_FAILED)
        return fail(std::string("mmap of the arena: ") + std::strerror(errno));
    madvise(base, bytes, MADV_HUGEPAGE); // a wish: kernels without huge shared pages refuse it
    arena().base = reinterpret_cast<uint64_t>(base);
    arena().blocks.grow(bytes);
    static ArenaCpuAllocator allocator;
    c10::SetCPUAllocator(&allocator, 255);
    return 0;
}

/// CUDA: keeps addresses for the arena; memory follows on demand through `socket`. Needs a current context.
int ww_arena_cuda(int socket, int device) {
#if WARPWRIGHT_CUDA
    if (!driver().problem.empty())
        return fail(driver().problem);
    CUdeviceptr base = 0;
    if (const CUresult result = driver().reserveAddress(&base, arenaAddressBytes, 0, 0, 0);
        result != CUDA_SUCCESS)
        return fail("cuMemAddressReserve: " + driver().nameOf(result));
    arena().base = base;
    arena().socket = socket;
    arena().device = device;
    return 0;
#else
    (void)socket;
    (void)device;
    return fail("this shim was built for a torch without CUDA");
#endif
}

/// The pair that torch.cuda.memory.CUDAPluggableAllocator calls for every tensor.
void *ww_cuda_malloc(ssize_t bytes, int, void *stream) {
    if (bytes <= 0)
        return nullptr;
#if WARPWRIGHT_CUDA
    if (const uint64_t address = takeOrGrow(static_cast<uint64_t>(bytes), reinterpret_cast<uint64_t>(stream)))
        return reinterpret_cast<void *>(address);
#else
    (void)stream;
#endif
    raise(__LINE__);
}

void ww_cuda_free(void *pointer, ssize_t, int, void *) {
    freeCpuBlock(pointer);
}

/// torch's record_stream: the block is used by another stream as well.
void ww_cuda_record_stream(void *pointer, void *) {
    const std::lock_guard lock(arena().mutex);
    const uint64_t offset = reinterpret_cast<uint64_t>(pointer) - arena().base;
    const auto found = arena().guarded.find(offset);
    arena().blocks.markShared(found == arena().guarded.end() ? offset : found->second.offset);
}

/// New blocks are filled with the byte `pattern` and are `guard` bytes (a multiple of 512) larger on each
/// side; a negative pattern ends that. Blocks that are in use stay as they are.
void ww_watch(int pattern, uint64_t guard) {
    const std::lock_guard lock(arena().mutex);
    arena().pattern = pattern;
    arena().guard = guard;
}

/// Offset and bytes of the guarded block that holds the address `pointer`; false where it is in none.
bool ww_guarded_block(const void *pointer, uint64_t *place) {
    const std::lock_guard lock(arena().mutex);
    const uint64_t offset = reinterpret_cast<uint64_t>(pointer) - arena().base;
    auto found = arena().guarded.upper_bound(offset);
    if (found == arena().guarded.begin())
        return false;
    --found;
    if (offset >= found->second.offset + found->second.bytes)
        return false;
    place[0] = found->second.offset;
    place[1] = found->second.bytes;
    return true;
}

/// Between batches, with the device idle: blocks that several streams used may be handed out again.
void ww_reclaim() {
    const std::lock_guard lock(arena().mutex);
    arena().blocks.reclaim();
}

/// With the device idle: gives back the memory in which no tensor lies. Fills `pieces` (offset, bytes, offset
/// …) with at most `most` of the parts that are gone, which the judge has to let go as well, and returns how
/// many. On a CPU there are none: pages of the file go, and it stays mapped.
int ww_trim(uint64_t *pieces, int most) {
    const std::lock_guard lock(arena().mutex);
    Arena &owner = arena();
    int count = 0;
    if (owner.socket < 0) {
        owner.blocks.reclaim();
        constexpr uint64_t page = 4096;
        for (const ArenaBlocks::Piece &run : owner.blocks.freeRuns()) {
            const uint64_t first = (owner.base + run.offset + page - 1) / page * page;
            const uint64_t end = (owner.base + run.offset + run.bytes) / page * page;
            if (end > first)
                madvise(reinterpret_cast<void *>(first), end - first, MADV_REMOVE);
        }
        return 0;
    }
#if WARPWRIGHT_CUDA
    for (const ArenaBlocks::Piece &piece : owner.blocks.trim()) {
        driver().unmap(owner.base + piece.offset, piece.bytes);
        if (count < most) {
            pieces[2 * count] = piece.offset;
            pieces[2 * count + 1] = piece.bytes;
            ++count;
        }
    }
#endif
    (void)pieces;
    (void)most;
    return count;
}

/// The most bytes that were in use at one time since the last call of this, and how many are now.
void ww_most_in_use(uint64_t *bytes) {
    const std::lock_guard lock(arena().mutex);
    bytes[0] = arena().blocks.mostInUse();
    bytes[1] = arena().blocks.bytesInUse();
    arena().blocks.forgetMost();
}

/// Address of the arena's first byte here, and its bytes; a tensor outside of it is not visible to the judge.
uint64_t ww_arena_base() {
    return arena().base;
}
uint64_t ww_arena_bytes() {
    const std::lock_guard lock(arena().mutex);
    return arena().blocks.bytes();
}

/// Maps a region that the judge made (inputs, weights) and returns its address, or 0 with ww_problem().
uint64_t ww_map_cuda(int descriptor, uint64_t bytes, int device) {
#if WARPWRIGHT_CUDA
    CUmemGenericAllocationHandle handle = 0;
    if (const CUresult result =
            driver().importHandle(&handle, reinterpret_cast<void *>(static_cast<intptr_t>(descriptor)),
                                  CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
        result != CUDA_SUCCESS) {
        fail("cuMemImportFromShareableHandle: " + driver().nameOf(result));
        return 0;
    }
    CUdeviceptr address = 0;
    if (const CUresult result = driver().reserveAddress(&address, bytes, 0, 0, 0); result != CUDA_SUCCESS) {
        fail("cuMemAddressReserve: " + driver().nameOf(result));
        return 0;
    }
    const std::string problem = driver().mapHandle(address, bytes, handle, device);
    driver().release(handle);
    if (!problem.empty()) {
        fail(problem);
        return 0;
    }
    return address;
#else
    (void)descriptor;
    (void)bytes;
    (void)device;
    fail("this shim was built for a torch without CUDA");
    return 0;
#endif
}

/// Lets a region go that ww_map_cuda gave; the device is idle.
void ww_unmap_cuda(uint64_t address, uint64_t bytes) {
#if WARPWRIGHT_CUDA
    driver().unmap(address, bytes);
    driver().freeAddress(address, bytes);
#else
    (void)address;
    (void)bytes;
#endif
}

/// Waits for the judge's release of batch `number`. 0 when released, -1 after `limitNanoseconds`.
int ww_wait_go(void *page, uint32_t number, uint64_t spinNanoseconds, uint64_t limitNanoseconds) {
    return waitForWord(static_cast<ControlPage *>(page)->go, number, spinNanoseconds, limitNanoseconds) ? 0
                                                                                                        : -1;
}

/// Waits until call `made` may be made. How many calls may be made now, more than `made`; `made` itself where
/// the batch has no further ones; -1 after `limitNanoseconds`.
int ww_await_turn(void *page, uint32_t made, uint64_t spinNanoseconds, uint64_t limitNanoseconds) {
    auto &released = static_cast<ControlPage *>(page)->released;
    uint32_t named = 0;
    const auto isTold = [&](uint32_t seen) {
        named = seen & ~ControlPage::lastTurn;
        return named > made || seen != named;
    };
    if (!waitUntil(released, isTold, spinNanoseconds, limitNanoseconds))
        return -1;
    return static_cast<int>(named > made ? named : made);
}

/// Waits until the device is idle (CUDA), then ends the batch. 0, or the driver's error.
int ww_finish(void *page, uint32_t number, int cuda) {
    int result = 0;
#if WARPWRIGHT_CUDA
    if (cuda != 0)
        result = static_cast<int>(driver().contextSynchronize());
#else
    (void)cuda;
#endif
    auto *control = static_cast<ControlPage *>(page);
    control->done.store(number, std::memory_order_release);
    futexWake(control->done);
    return result;
}

} // extern "C"
