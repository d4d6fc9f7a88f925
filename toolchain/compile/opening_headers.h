// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace warpwright {

/// Which of torch's large headers a source begins with, so that they can be read precompiled.
///
/// A precompiled header comes before the first line of a source. That changes nothing only if the source
/// would read the same headers there anyway, before it says anything of its own. So this follows the includes
/// at the top of the source, into headers of the workspace as well, and ends at the first line that is
/// something else (a #define could mean one of these headers). Sorted, of a small closed list; empty: none.
///
/// `name`: relative to `workspace`. Opens the files.
[[nodiscard]] QStringList openingHeaders(const QString &workspace, const QString &name);

/// Whether they are worth half a gigabyte for one compilation. Those that are not are so for a source that is
/// edited: a workspace's own binding.cpp, which is part of the contract, mostly is not.
[[nodiscard]] bool areWide(const QStringList &headers);

/// What CUDA-Agent's bindings and the template's binding.cpp begin with: worth to be had in advance.
[[nodiscard]] QList<QStringList> usualOpenings();

} // namespace warpwright
