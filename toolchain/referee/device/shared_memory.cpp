// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/device/shared_memory.h"

#include "referee/base/fault.h"
#include "referee/base/memory_channel.h"
#include "referee/device/cuda_driver.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <set>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace warpwright {

namespace {

Fault memoryFault(const std::string &purpose, uint64_t bytes, const std::string &why) {
    Fault fault("environment",
                "Cannot get " + std::to_string(bytes >> 20) + " MiB of memory for " + purpose + ".", why,
                "Close other programs that use this device's memory, or choose a task with smaller inputs.");
    fault.outOfMemory = true;
    return fault;
}

uint64_t totalCpuMemory() {
    return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// Files that judge and workers share, and the most that was taken. The judge's own threads hand out no
// memory.
std::set<int> &sharedFiles() {
    static std::set<int> files;
    return files;
}
uint64_t mostTaken = 0;

uint64_t takenOnCpu() {
    uint64_t bytes = 0;
    for (const int file : sharedFiles()) {
        struct stat facts {};
        if (fstat(file, &facts) == 0)
            bytes += static_cast<uint64_t>(facts.st_blocks) * 512;
    }
    return bytes;
}

// 0: what there is.
uint64_t wishedMemory() {
    static const uint64_t wish = [] {
        const char *text = std::getenv("WARPWRIGHT_DEVICE_MEMORY");
        return text != nullptr ? std::strtoull(text, nullptr, 10) : 0;
    }();
    return wish;
}

// Maps a new anonymous file that can be handed to a worker. Sparse: a page costs memory from its first touch.
uint64_t mapFile(uint64_t bytes, const std::string &purpose, Descriptor &file) {
    file.reset(memfd_create(purpose.c_str(), MFD_CLOEXEC));
    if (!file.isOpen() || ftruncate(file.value(), static_cast<off_t>(bytes)) != 0)
        throw memoryFault(purpose, bytes, std::strerror(errno));
    void *base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file.value(), 0);
    if (base == MAP_FAILED)
        throw memoryFault(purpose, bytes, std::strerror(errno));
    sharedFiles().insert(file.value());
    return reinterpret_cast<uint64_t>(base);
}

void unmapFile(uint64_t base, uint64_t bytes, const Descriptor &file) {
    noteMemory(MemoryKind::Cpu);
    sharedFiles().erase(file.value());
    munmap(reinterpret_cast<void *>(base), bytes);
}

#if WARPWRIGHT_CUDA

constexpr uint64_t deviceGranule = uint64_t{2} << 20;

CUmemAllocationProp exportableDeviceMemory() {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = 0;
    return properties;
}

// Makes device memory, maps it at `address` here, and returns a descriptor for another process. Empty
// problem: done.
std::string makeDeviceMemory(CUdeviceptr address, uint64_t bytes, Descriptor &exported) {
    const CudaDriver &driver = CudaDriver::load();
    const CUmemAllocationProp properties = exportableDeviceMemory();
    CUmemGenericAllocationHandle handle = 0;
    if (const CUresult result = driver.create(&handle, bytes, &properties, 0); result != CUDA_SUCCESS)
        return driver.nameOf(result);
    int descriptor = -1;
    const CUresult result =
        driver.exportHandle(&descriptor, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    std::string problem =
        result == CUDA_SUCCESS ? driver.mapHandle(address, bytes, handle, 0) : driver.nameOf(result);
    driver.release(handle); // the mapping and the descriptor keep the memory
    exported.reset(descriptor);
    return problem;
}

#endif

} // namespace

SharedRegion::SharedRegion(MemoryKind kind, uint64_t bytes, const std::string &purpose)
    : m_kind(kind), m_bytes(std::max<uint64_t>(bytes, 4096)) {
    if (kind == MemoryKind::Cpu) {
        m_base = mapFile(m_bytes, purpose, m_descriptor);
        // Who has a descriptor could open it anew, to write.
        const std::string file = "/proc/self/fd/" + std::to_string(m_descriptor.value());
        if (fchmod(m_descriptor.value(), S_IRUSR) == 0)
            m_readOnly.reset(open(file.c_str(), O_RDONLY | O_CLOEXEC));
        return;
    }
#if WARPWRIGHT_CUDA
    m_bytes = (m_bytes + deviceGranule - 1) / deviceGranule * deviceGranule;
    const CudaDriver &driver = CudaDriver::load();
    CUdeviceptr address = 0;
    if (const CUresult result = driver.reserveAddress(&address, m_bytes, 0, 0, 0); result != CUDA_SUCCESS)
        throw memoryFault(purpose, m_bytes, driver.nameOf(result));
    if (const std::string problem = makeDeviceMemory(address, m_bytes, m_descriptor); !problem.empty()) {
        driver.freeAddress(address, m_bytes);
        throw memoryFault(purpose, m_bytes, problem);
    }
    m_base = address;
    noteMemory(kind);
#endif
}

SharedRegion::~SharedRegion() {
    if (m_base == 0)
        return;
    if (m_kind == MemoryKind::Cpu)
        unmapFile(m_base, m_bytes, m_descriptor);
#if WARPWRIGHT_CUDA
    else {
        CudaDriver::load().unmap(m_base, m_bytes);
        CudaDriver::load().freeAddress(m_base, m_bytes);
    }
#endif
}

WorkerArena::WorkerArena(MemoryKind kind) : m_kind(kind) {
    if (kind == MemoryKind::Cpu) {
        m_bytes = memoryOfDevice(totalCpuMemory());
        m_base = mapFile(m_bytes, "worker", m_descriptor);
        return;
    }
#if WARPWRIGHT_CUDA
    const CudaDriver &driver = CudaDriver::load();
    CUdeviceptr address = 0;
    if (const CUresult result = driver.reserveAddress(&address, arenaAddressBytes, 0, 0, 0);
        result != CUDA_SUCCESS)
        throw memoryFault("a worker", arenaAddressBytes, driver.nameOf(result));
    m_base = address;
#endif
}

WorkerArena::~WorkerArena() {
    if (m_base == 0)
        return;
    if (m_kind == MemoryKind::Cpu)
        unmapFile(m_base, m_bytes, m_descriptor);
#if WARPWRIGHT_CUDA
    else {
        for (const auto &[offset, bytes] : m_pieces)
            CudaDriver::load().unmap(m_base + offset, bytes);
        CudaDriver::load().freeAddress(m_base, arenaAddressBytes);
    }
#endif
}

bool WorkerArena::holds(uint64_t offset, uint64_t bytes) const {
    if (offset > m_bytes || bytes > m_bytes - offset)
        return false;
    if (m_kind == MemoryKind::Cpu)
        return true;
    uint64_t reached = offset;
    auto piece = m_pieces.upper_bound(offset);
    if (piece != m_pieces.begin())
        --piece;
    for (; piece != m_pieces.end() && piece->first <= reached && reached < offset + bytes; ++piece)
        reached = std::max(reached, piece->first + piece->second);
    return reached >= offset + bytes;
}

void WorkerArena::release(const std::vector<std::pair<uint64_t, uint64_t>> &pieces) {
#if WARPWRIGHT_CUDA
    for (const auto &[offset, bytes] : pieces) {
        const auto piece = m_pieces.find(offset);
        if (piece == m_pieces.end() || piece->second != bytes)
            continue;
        CudaDriver::load().unmap(m_base + offset, bytes);
        m_pieces.erase(piece);
    }
#else
    (void)pieces;
#endif
}

// The first gap that is large enough, else the end: the addresses last.
uint64_t WorkerArena::placeFor(uint64_t bytes) const {
    uint64_t end = 0;
    for (const auto &[offset, size] : m_pieces) {
        if (offset - end >= bytes)
            return end;
        end = offset + size;
    }
    return end;
}

bool WorkerArena::serve(int socket) {
    GrowRequest request{};
    const ssize_t got = recv(socket, &request, sizeof request, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    if (got != static_cast<ssize_t>(sizeof request) || request.magic != growMagic)
        return false;
    return grow(socket, request.bytes);
}

bool WorkerArena::grow(int socket, uint64_t wanted) {
    GrowAnswer answer{growMagic, 0, 0, 0};
    Descriptor exported;
#if WARPWRIGHT_CUDA
    const uint64_t available = availableMemory(m_kind);
    answer.bytes = available;
    // A quarter of what the worker has, so that a growing heap asks rarely; what it needs, when memory is
    // short, and for what is large: each large tensor has a piece of its own, which goes when it goes.
    constexpr uint64_t large = uint64_t{256} << 20;
    const auto rounded = [](uint64_t bytes) {
        return (bytes + deviceGranule - 1) / deviceGranule * deviceGranule;
    };
    const uint64_t generous = rounded(std::max({wanted, std::min(m_bytes / 4, large), uint64_t{64} << 20}));
    for (const uint64_t bytes : {wanted < large ? generous : rounded(wanted), rounded(wanted)}) {
        if (wanted > arenaAddressBytes || bytes > available)
            continue;
        const uint64_t place = placeFor(bytes);
        if (place + bytes > arenaAddressBytes)
            continue;
        if (makeDeviceMemory(m_base + place, bytes, exported).empty()) {
            m_bytes = std::max(m_bytes, place + bytes);
            m_pieces[place] = bytes;
            noteMemory(m_kind);
            answer.granted = 1;
            answer.bytes = bytes;
            answer.offset = place;
            break;
        }
    }
#else
    (void)wanted;
#endif
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    iovec part{&answer, sizeof answer};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (answer.granted == 1) {
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        cmsghdr *rights = CMSG_FIRSTHDR(&message);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(sizeof(int));
        const int descriptor = exported.value();
        std::memcpy(CMSG_DATA(rights), &descriptor, sizeof descriptor);
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof answer);
}

uint64_t memoryOfDevice(uint64_t bytes) {
    return wishedMemory() > 0 ? std::min(wishedMemory(), bytes) : bytes;
}

uint64_t availableMemory(MemoryKind kind) {
#if WARPWRIGHT_CUDA
    if (kind == MemoryKind::Cuda) {
        size_t free = 0;
        size_t total = 0;
        CudaDriver::load().memoryInfo(&free, &total);
        const uint64_t kept = total - memoryOfDevice(total);
        return free > kept ? free - kept : 0;
    }
#endif
    (void)kind;
    uint64_t available = totalCpuMemory() / 2;
    std::ifstream facts("/proc/meminfo");
    std::string name;
    uint64_t kibibytes = 0;
    std::string unit;
    while (facts >> name >> kibibytes) {
        std::getline(facts, unit);
        if (name == "MemAvailable:")
            available = kibibytes << 10;
    }
    if (wishedMemory() == 0)
        return available;
    const uint64_t taken = takenOnCpu();
    return std::min(available, wishedMemory() > taken ? wishedMemory() - taken : 0);
}

void noteMemory(MemoryKind kind) {
    uint64_t taken = 0;
#if WARPWRIGHT_CUDA
    if (kind == MemoryKind::Cuda) {
        size_t free = 0;
        size_t total = 0;
        CudaDriver::load().memoryInfo(&free, &total);
        taken = total - free;
    }
#endif
    if (kind == MemoryKind::Cpu)
        taken = takenOnCpu();
    mostTaken = std::max(mostTaken, taken);
}

uint64_t mostMemoryTaken() {
    return mostTaken;
}

} // namespace warpwright
