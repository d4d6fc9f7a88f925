// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace warpwright {

/// A line of a source; from 1.
struct CodePlace {
    QString file; ///< as the tool names it, or relative to the workspace
    int line = 0;

    bool operator==(const CodePlace &) const = default;
};

/// Where an instruction comes from, innermost first: the line that was written, then each call that was
/// inlined around it. The last one lies in the kernel itself.
using PlaceChain = std::vector<CodePlace>;

/// A line of a listing.
struct CodeLine {
    enum class Kind {
        Instruction,
        Label, ///< `opcode` is its name: ".L_x_5"; of a function that was not inlined, its demangled name
    };

    Kind kind = Kind::Instruction;
    int chain = -1;      ///< number in KernelCode::chains; -1: the compiler says nothing of it
    qint64 address = -1; ///< in bytes from the kernel's start; -1: PTX has none
    QString predicate;   ///< "@!P0"; empty: always executed
    QString opcode;      ///< with its modifiers: "LDG.E.128.CONSTANT", "ld.global.nc.v4.f32"
    QString operands;    ///< "R4, desc[UR4][R4.64]"

    bool operator==(const CodeLine &) const = default;
};

/// The listing of one kernel, SASS or PTX. In SASS, functions that were not inlined are part of their kernel.
struct KernelCode {
    QString mangled;
    QString name;            ///< demangled
    QString arch;            ///< "sm_90a"
    int launchThreads = 0;   ///< of __launch_bounds__: the most threads of a block; 0: it has none
    bool isFunction = false; ///< of PTX: no kernel, but a device function that was not inlined
    std::vector<PlaceChain> chains;
    std::vector<CodeLine> lines;

    [[nodiscard]] const PlaceChain *chainOf(const CodeLine &line) const {
        return line.chain < 0 ? nullptr : &chains[static_cast<std::size_t>(line.chain)];
    }
    [[nodiscard]] int instructionCount() const;
    bool operator==(const KernelCode &) const = default;
};

/// Collects the chains of one listing, each once.
class ChainCollector {
public:
    explicit ChainCollector(std::vector<PlaceChain> &chains) : m_chains(chains) {}
    /// The number of this chain; -1 for an empty one.
    [[nodiscard]] int numberOf(const PlaceChain &chain);

private:
    std::vector<PlaceChain> &m_chains;
};

/// The instruction's own text: "@!P0 LDG.E.128 R4, desc[UR4][R4.64]".
[[nodiscard]] QString instructionText(const CodeLine &line);

/// Files below `folder` become relative to it, others lose their «bin/../».
void nameFilesFrom(const QString &folder, KernelCode &code);

/// The numbers of the lines of `code` that come from this line of this file, at any depth of inlining.
[[nodiscard]] std::vector<int> linesFrom(const KernelCode &code, const QString &file, int line);

/// The place in `file` that a line comes from, innermost first; else the innermost place below the workspace
/// (a relative file); else the innermost. A line of 0: it comes from nowhere.
[[nodiscard]] CodePlace placeOf(const KernelCode &code, const CodeLine &line, const QString &file = {});

} // namespace warpwright
