// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/workspace/workspace.h"

#include <QByteArray>
#include <QString>

#include <utility>
#include <vector>

namespace warpwright {

/// Everything that an evaluation depends on, by name. The order of adding does not matter.
struct HashedInputs {
    std::vector<std::pair<QString, QByteArray>> parts;

    void add(const QString &name, const QByteArray &value) { parts.emplace_back(name, value); }
    void add(const QString &name, const QString &value) { parts.emplace_back(name, value.toUtf8()); }
};

/// SHA-256 in hexadecimal digits. Names and lengths are hashed too, so that no two lists of parts share a
/// text.
[[nodiscard]] QString inputsHash(HashedInputs inputs);

/// Adds every text of the workspace that may change the result: root *.py, sources, headers, and what is
/// allowed. The paths are relative, so a copy of the folder elsewhere has the same hash.
[[nodiscard]] Result<void> addWorkspaceTexts(HashedInputs &inputs, const Workspace &workspace);

} // namespace warpwright
