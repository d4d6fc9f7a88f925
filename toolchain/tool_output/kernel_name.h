// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// A demangled kernel's name without what is the same for all of its kind: return type, anonymous namespaces
/// and parameters, and as short where Nsight Compute demangled it.
/// "void (anonymous namespace)::softmax<4>(float const*, int)" and
/// "void <unnamed>::softmax<(int)4>(const float *, int)" -> "softmax<4>".
[[nodiscard]] QString shortKernelName(const QString &demangled);

/// Whether two mangled names are of one kernel. The compiler puts hashes of a file's path into the name of
/// its anonymous namespace: what was compiled in another folder, or on another machine, holds the same
/// kernels.
[[nodiscard]] bool isSameKernel(const QString &mangled, const QString &other);

} // namespace warpwright
