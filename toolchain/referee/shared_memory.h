// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/channel.h"

#include <cstdint>
#include <string>

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

private:
    MemoryKind m_kind;
    uint64_t m_base = 0;
    uint64_t m_bytes = 0;
    Descriptor m_descriptor;
};

/// The heap of one worker, seen from the judge: what the worker's tensors lie in.
///
/// CPU: one sparse file, mapped whole at once. CUDA: a range of addresses that grows when the worker asks.
class WorkerArena {
public:
    explicit WorkerArena(MemoryKind kind);
    ~WorkerArena();
    WorkerArena(const WorkerArena &) = delete;
    WorkerArena &operator=(const WorkerArena &) = delete;

    uint64_t base() const { return m_base; }
    uint64_t bytes() const { return m_bytes; }
    int descriptor() const { return m_descriptor.value(); } ///< CPU only

    /// Answers one request on the worker's memory socket. False when the socket is closed or what came is not
    /// a request.
    bool serve(int socket);

private:
    bool grow(int socket, uint64_t wanted);

    MemoryKind m_kind;
    uint64_t m_base = 0;
    uint64_t m_bytes = 0;
    std::vector<uint64_t> m_pieces; ///< bytes of each mapping, in order: each must be unmapped by itself
    Descriptor m_descriptor;
};

/// Bytes that can still be had: the device's free memory, or the system's available memory.
uint64_t availableMemory(MemoryKind kind);

} // namespace warpwright
