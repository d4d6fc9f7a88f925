// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

namespace warpwright {

/// A few machine instructions that count a call and go on to the real function, whatever its arguments are:
/// they touch no argument, no return address and no stack.
struct CallStub {
    void *entry;
    uint64_t *calls;
    void **target; ///< may be changed at any time
};

/// A new stub for `target`; it lasts as long as the process. Nothing on processors other than x86-64 and
/// aarch64, and after some thousands. Not for several threads at once.
std::optional<CallStub> makeCallStub(void *target);

} // namespace warpwright
