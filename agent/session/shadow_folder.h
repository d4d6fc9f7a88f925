// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/workspace/candidate_texts.h"

namespace warpwright {

/// What is measured, and what it is a change of, at one time.
enum class ShadowOf { Text, TextBefore };

/// Makes the workspace's shadow hold exactly these texts, and gives its folder: what is measured there leaves
/// the workspace as it is. One folder of each kind a workspace, below the cache, so that a warm judge and
/// compiled objects are found again; whoever holds the workspace's lock may use it, for one measurement at a
/// time. Who does not hold it names itself (`whose`) and has shadows of its own. Of CUDA-Agent's utils/,
/// which decide on flags, it has a link.
[[nodiscard]] Result<QString> layOutShadow(const Workspace &workspace, const CandidateTexts &texts,
                                           const DataFolders &folders, ShadowOf what,
                                           const QString &whose = {});

} // namespace warpwright
