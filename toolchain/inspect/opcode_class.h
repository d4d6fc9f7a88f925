// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <array>
#include <optional>

namespace warpwright {

/// What kind of work an instruction of SASS is, by the unit it occupies and not by what it is used for: an
/// IMAD.MOV that only copies is integer work.
enum class OpcodeClass {
    Tensor,   ///< HMMA, IMMA, DMMA, HGMMA (wgmma), UTCHMMA (tcgen05)
    Fp32,     ///< FFMA, FADD
    Fp64,     ///< DFMA
    Half,     ///< HFMA2, FP16 and BF16
    Special,  ///< MUFU: reciprocals, roots, exponentials
    Integer,  ///< IMAD, IADD3, LOP3, LEA
    Convert,  ///< F2F, I2F
    Move,     ///< MOV, PRMT, SEL, S2R, predicates
    Exchange, ///< between the threads of a warp: SHFL, VOTE, REDUX
    Uniform,  ///< once for the whole warp: UIADD3, ULEA
    Load,
    Store,
    AsyncCopy, ///< memory to shared memory and back without registers: LDGSTS, UBLKCP, UTMALDG
    Atomic,
    Texture,
    Barrier, ///< waiting for others, and fences: BAR, MEMBAR, DEPBAR, SYNCS
    Control, ///< BRA, CALL, EXIT
    Other,   ///< NOP, and what we do not know
};
inline constexpr int opcodeClassCount = static_cast<int>(OpcodeClass::Other) + 1;

/// "tensor core", "FP32", "load"
[[nodiscard]] QString opcodeClassName(OpcodeClass kind);
/// For JSON: "tensor", "fp32", "asyncCopy"
[[nodiscard]] QString opcodeClassKey(OpcodeClass kind);

/// Of "LDG.E.128.CONSTANT": what stands before the first dot decides, after NVIDIA's «Instruction Set
/// Reference» (CUDA Binary Utilities 13.0, Turing to Blackwell).
[[nodiscard]] OpcodeClass opcodeClassOf(const QString &opcode);

/// What a load, store, copy or atomic moves.
struct MemoryAccess {
    QString space;      ///< "global", "shared", "local", "constant", "generic", "tensor"
    int widthBits = 32; ///< for each thread

    bool operator==(const MemoryAccess &) const = default;
};

/// Nothing: it is no access, or (TMA) its width is not in the instruction.
[[nodiscard]] std::optional<MemoryAccess> memoryAccessOf(const QString &opcode);

} // namespace warpwright
