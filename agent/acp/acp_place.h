// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/acp/acp_sandbox.h"
#include "agent/acp/acp_words.h"
#include "agent/interface/agent.h"
#include "agent/tools/work_folder.h"

#include <optional>

namespace warpwright {

/// Where an external agent is to work, and behind what.
struct AcpPlaceRequest {
    QString workspace; ///< the person's folder
    CandidateTexts texts;
    bool keepsWork =
        false; ///< what the candidate's files hold there already stays: the text below is the same
    std::optional<CandidateTexts> unfinished = {}; ///< it is to hold these: what the agent left of its work
    QString agent;                                 ///< its name
    DataFolders folders;
};

struct AcpPlace {
    Workspace workspace;
    WorkFolder work;
    CandidateTexts texts; ///< that it holds now
    AcpSandbox sandbox;   ///< not there: `whyNoSandbox` says why
    QString whyNoSandbox;
    AcpGuides guides;
    QStringList remarks; ///< for people: which skill and rules there are, which are not read and why
};

/// Lays the work folder out and plans the sandbox. Reads and writes files: for the pool.
[[nodiscard]] Result<AcpPlace> prepareAcpPlace(const AcpPlaceRequest &request);

/// What an agent has made of its work folder.
struct AcpWork {
    QStringList putBack; ///< lines for people; mostly none
    CandidateTexts texts;
};
/// For the pool, as above.
[[nodiscard]] Result<AcpWork> takeAcpWork(const WorkFolder &work);

} // namespace warpwright
