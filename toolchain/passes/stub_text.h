// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace warpwright {

/// Whether two stubs of cicc's (the host functions that launch a file's kernels, and register them) are the
/// same code: they may differ in the places of lines (`# 15 "kernels/x.cu"`), in empty lines (as many as a
/// kernel's body has) and in the numbers of their variables (`__T18`), which count what the whole file has.
/// The host compiler makes the same assembly of both, if it is asked for no debug information.
[[nodiscard]] bool isSameStub(std::string_view one, std::string_view other);

/// The stub with `path` where it names itself, or a file of that name with more behind it («x.stub.c.whole»):
/// as cicc would have written it there.
[[nodiscard]] std::string stubNamed(std::string_view stub, std::string_view path);

/// Whether a text uses names like those that cicc gives the variables of a stub: then its numbers may be a
/// user's, and say something.
[[nodiscard]] bool namesStubVariables(std::string_view text);

} // namespace warpwright
