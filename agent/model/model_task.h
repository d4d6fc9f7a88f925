// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent.h"
#include "toolchain/base/data_folders.h"
#include "toolchain/base/result.h"

#include <QString>
#include <QStringList>

namespace warpwright {

/// What a model is told before its first turn; never cut from the conversation.
struct ModelTask {
    /// How we work, the skill (the workspace's own SKILL.md, else ours), what a candidate may not do, the
    /// project's AGENTS.md.
    QString rules;
    QString task;        ///< the reference, the candidate's files, what was measured of it, the history
    QStringList remarks; ///< for people: which skill and rules were read, which not and why

    bool operator==(const ModelTask &) const = default;
};

/// Reads a few small files. An error, for people, where there is no skill or no reference to read.
[[nodiscard]] Result<ModelTask> readModelTask(const AgentRequest &request, const DataFolders &folders);

} // namespace warpwright
