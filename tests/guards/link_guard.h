// SPDX-License-Identifier: GPL-3.0-or-later
// Finds pictures and links in documents that lead nowhere.
#pragma once

#include "tests/guards/guard_file.h"

#include <functional>

namespace warpwright {

/// "README.md:7: packaging/pictures/a.png", "docs/a.md:3: b.md#gone", "a.md:4: [label]" for a label that is
/// nowhere said. Written into the sentence or below it ("[label]: b.md"); anchors are looked for where the
/// page is among `documents`. `exists`: of a path from the root. Addresses of the network and code are not
/// followed.
QStringList deadLinks(const QVector<GuardFile> &documents,
                      const std::function<bool(const QString &)> &exists);

/// Of all Markdown below `root`, also in folders that GuardFile does not enter.
QStringList deadLinks(const QString &root);

} // namespace warpwright
