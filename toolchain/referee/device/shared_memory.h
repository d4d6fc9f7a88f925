// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace warpwright {

/// Where memory lies. The judge sees one device only, so its number is always 0 here.
enum class MemoryKind { Cpu, Cuda };

/// Memory of a fixed size that the judge made and workers map: inputs, weights.
class SharedRegion {
public:
    /// Throws Fault("environment") when the memory cannot be had.
    SharedRegion(MemoryKind kind, uint64_t bytes, const std::string &purpose);
    ~SharedRegion();
    SharedRegion(const SharedRegion &) = delete;
    SharedRegion &operator=(const SharedRegion &) = delete;

    MemoryKind kind() const { return m_kind; }
    uint64_t base() const { return m_base; } ///< address here, on the device or on the CPU
    uint64_t bytes() const { return m_bytes; }
    int descriptor() const { return m_descriptor.value(); }
    /// With which nobody can write there; a device has none of that kind, and gives the other one.
    int readOnlyDescriptor() const { return m_readOnly.isOpen() ? m_readOnly.value() : m_descriptor.value(); }

private:
    MemoryKind m_kind;
    uint64_t m_base = 0;
    uint64_t m_bytes = 0;
    Descriptor m_descriptor, m_readOnly;
};

/// The heap of one worker, seen from the judge: what the worker's tensors lie in.
///
/// CPU: one sparse file, mapped whole at once. CUDA: a range of addresses in which pieces of memory come when
/// the worker asks, and go when it has let them go.
class WorkerArena {
public:
    explicit WorkerArena(MemoryKind kind);
    ~WorkerArena();
    WorkerArena(const WorkerArena &) = delete;
    WorkerArena &operator=(const WorkerArena &) = delete;

    MemoryKind kind() const { return m_kind; }
    uint64_t base() const { return m_base; }
    uint64_t bytes() const { return m_bytes; }              ///< up to the end of the last piece
    int descriptor() const { return m_descriptor.value(); } ///< CPU only

    /// Whether all of these bytes have memory here.
    [[nodiscard]] bool holds(uint64_t offset, uint64_t bytes) const;
    /// Lets the pieces (offset, bytes) go that the worker has let go. Others are not touched: it is not
    /// believed. Nobody reads there now.
    void release(const std::vector<std::pair<uint64_t, uint64_t>> &pieces);

    /// Answers one request on the worker's memory socket. False when the socket is closed or what came is not
    /// a request.
    bool serve(int socket);

private:
    bool grow(int socket, uint64_t wanted);
    [[nodiscard]] uint64_t placeFor(uint64_t bytes) const;

    MemoryKind m_kind;
    uint64_t m_base = 0;
    uint64_t m_bytes = 0;
    std::map<uint64_t, uint64_t> m_pieces; ///< CUDA: offset -> bytes of each mapping
    Descriptor m_descriptor;
};

/// Bytes that can still be had: the device's free memory, or the system's available memory.
uint64_t availableMemory(MemoryKind kind);

/// What a device of `bytes` may be taken to have: WARPWRIGHT_DEVICE_MEMORY (bytes), for trying plans for
/// small devices on large ones, where that is less.
uint64_t memoryOfDevice(uint64_t bytes);

/// The most memory that was taken at one time since this process began, as far as it was seen: on a GPU of
/// the whole device, on a CPU what judge and workers share. `noteMemory` looks; so does whoever hands memory
/// out.
void noteMemory(MemoryKind kind);
uint64_t mostMemoryTaken();

} // namespace warpwright
