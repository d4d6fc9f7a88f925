// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace warpwright {

/// Whether two stubs of cicc's (the host functions that launch a file's kernels, and register them) are the
/// same code: they may differ in the places of lines (`# 15 "kernels/x.cu"`), in empty lines (as many as a
/// kernel's body has) and in the numbers of their variables (`__T18`), which count what the whole file has.
/// The host compiler makes the same assembly of both, if it is asked for no debug information.
[[nodiscard]] bool isSameStub(std::string_view one, std::string_view other);

} // namespace warpwright
