// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/workspace/workspace.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <map>

namespace warpwright {

/// The text of a workspace as one value: paths relative to its folder ("kernels/softmax.cu"), bytes as they
/// are on disk.
using CandidateTexts = std::map<QString, QByteArray>;

/// Everything a person or an agent writes and that an evaluation may depend on: the reference, the candidate,
/// root sources and headers, all of kernels/ at any depth, and .warpwright/task.json. Compiled files and
/// hidden ones are left out; of a lone file only itself is read. Without its folder or its reference a
/// workspace is gone, which is an error.
[[nodiscard]] Result<CandidateTexts> readCandidateTexts(const Workspace &workspace);

/// SHA-256 over names and bytes, in hexadecimal digits: two equal texts have one hash in whatever folder.
[[nodiscard]] QString textHashOf(const CandidateTexts &texts);

/// Paths whose text is another, new or gone.
[[nodiscard]] QStringList changedFiles(const CandidateTexts &before, const CandidateTexts &after);

/// The path in the workspace of a file as a compiler or a profiler names it, wherever the text was built;
/// empty: it is none of these, or could be several.
[[nodiscard]] QString workspacePathOf(const CandidateTexts &texts, const QString &file);

/// Whether a compiler, an interpreter or an editor leaves files of this name behind: they are no text of
/// anybody, wherever they lie.
[[nodiscard]] bool isMadeFile(const QString &path);

} // namespace warpwright
