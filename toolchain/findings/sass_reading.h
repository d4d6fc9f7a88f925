// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"
#include "toolchain/inspect/opcode_class.h"
#include "toolchain/tool_output/kernel_code.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

/// SASS as detectors read it: which registers an instruction writes and reads, what lies in a loop.
namespace warpwright {

/// One instruction, from a listing of the compiler's or from a report of Nsight Compute.
struct ReadInstruction {
    quint64 address = 0;
    QString predicate; ///< "@!P0"; empty: always
    QString opcode;    ///< "LDG.E.128.CONSTANT"
    QString base;      ///< "LDG"
    QString operands;
    OpcodeClass kind = OpcodeClass::Other;
    QString file; ///< as whoever made the listing names it
    int line = 0;
    bool isInLoop = false;
    bool beginsBlock = false; ///< a label stands before it, or a branch
    std::vector<int> writes;  ///< numbers of general registers, by a load, an atomic or arithmetic
    std::vector<int> reads;   ///< the same
    const InstructionCounters *counts = nullptr; ///< none: nothing was counted of it

    [[nodiscard]] double count(const char *name) const {
        return counts == nullptr ? 0 : counts->value(QString::fromLatin1(name));
    }
    [[nodiscard]] bool has(const char *modifier) const;
};

/// Of a listing: a loop is what lies between a label and a later branch back to it.
[[nodiscard]] std::vector<ReadInstruction> readListing(const KernelCode &code, const QString &source);
/// Of a report: in a loop is what a warp executes at least three times on average. They point into `kernel`.
[[nodiscard]] std::vector<ReadInstruction> readCounted(const KernelCounters &kernel);

/// How many bytes a load brings each thread; 0: it is none, or its size does not stand in it.
[[nodiscard]] int loadedBytes(const ReadInstruction &instruction);
/// Loads that wait in the queue of L1 (long scoreboard): global, local, generic, texture, atomics.
[[nodiscard]] bool isLongLoad(const ReadInstruction &instruction);
[[nodiscard]] bool isGlobalLoad(const ReadInstruction &instruction);
[[nodiscard]] bool isGlobalStore(const ReadInstruction &instruction);
[[nodiscard]] bool isLocalAccess(const ReadInstruction &instruction);
[[nodiscard]] bool isAtomic(const ReadInstruction &instruction);

/// The most bytes of global memory that one thread has asked for and not yet used, walking through the code
/// as it stands; nothing where copies are asked for whose size does not stand in the code (TMA).
[[nodiscard]] std::optional<int> bytesInFlight(const std::vector<ReadInstruction> &code);

/// Loads from one base register whose offsets follow each other: one wider load would do.
struct AdjacentLoads {
    std::vector<std::size_t> at; ///< places in the code
    int bytes = 0;               ///< of one of them
    [[nodiscard]] int count() const { return static_cast<int>(at.size()); }
};
[[nodiscard]] std::vector<AdjacentLoads> adjacentLoads(const std::vector<ReadInstruction> &code);

} // namespace warpwright
