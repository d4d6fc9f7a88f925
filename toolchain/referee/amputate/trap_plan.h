// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/amputate/elf_image.h"

#include <set>

namespace warpwright {

struct Span {
    uint64_t address = 0, bytes = 0;
    bool operator==(const Span &) const = default;
};

/// Which bodies of a library become traps, by ascending address; none lies in another.
struct TrapPlan {
    std::vector<Span> bodies;
    uint64_t functions = 0; ///< that the library has, one an address
    uint64_t kept = 0;      ///< arithmetic by its name that the rehearsal executed, or that is movement
    uint64_t bytes() const;
};

/// What a name says of the code behind it.
enum class NameKind {
    Other,
    Arithmetic,  ///< torch's own kernels and what is written for one processor; libraries of kernels
    Movement,    ///< arithmetic's neighbours that copy, fill or count up
    Registration ///< makes the tables of operators, while the library is loaded
};
NameKind kindOf(std::string_view name);

/// What becomes traps of what did not run.
enum class Trapped {
    Arithmetic, ///< what its name says to be that
    Everything  ///< but pieces of functions that ran; in a library without names, but fragments
};

/// `executed`: addresses of functions that ran while the library was loaded or while what a candidate may
/// call was called. Those stay.
TrapPlan planTraps(const ElfImage &image, const std::set<uint64_t> &executed,
                   Trapped trapped = Trapped::Arithmetic);

/// Instructions that raise SIGILL, to fill a body with: also a jump into its middle raises it.
std::vector<unsigned char> trapBytes(const Span &body);

} // namespace warpwright
