// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/mcp/workspace_submission.h"

#include "agent/applied_text.h"
#include "toolchain/workspace_lock.h"

namespace warpwright {

Result<ReadWorkspace> readWorkspaceOf(const Workspace &workspace) {
    using Answer = Result<ReadWorkspace>;
    ReadWorkspace read;
    const Result<CandidateTexts> texts = readCandidateTexts(workspace);
    if (!texts.hasValue())
        return Answer::error(texts.message());
    read.texts = texts.value();
    const IterationStore store(workspace.state);
    const Result<std::vector<IterationRecord>> history = store.list();
    if (!history.hasValue())
        return Answer::error(history.message());
    read.history = history.value();
    read.iteration = store.current();
    return Answer::ok(std::move(read));
}

Result<Iteration> submitTo(const Workspace &workspace, const WorkspaceSubmission &submission) {
    using Answer = Result<Iteration>;
    WorkspaceLock lock(workspace.state);
    if (lock.take() != WorkspaceLock::State::Held)
        return Answer::error(QStringLiteral("Not submitted, and nothing was written. ") + lock.message());
    if (const Result<QString> finished = finishInterrupted(workspace, lock); !finished.hasValue())
        return Answer::error(finished.message());
    const AppliedText applied(workspace);
    const Result<CandidateTexts> now = applied.read();
    if (!now.hasValue())
        return Answer::error(now.message());
    if (now.value() != submission.base)
        return Answer::error(
            QStringLiteral(
                "Not submitted, and nothing was written: %1 of the workspace has changed since your copy "
                "was made. Call open_workspace: it lays your copy out anew, with the text as it is now.")
                .arg(changedFiles(submission.base, now.value()).join(QStringLiteral(", "))));
    const auto kept = applied.store().commit(now.value(), applied.store().current(), Author{});
    if (!kept.hasValue())
        return Answer::error(kept.message());
    const int before = kept.value().iteration.number;
    const auto made = applied.apply(submission.texts, before, submission.author, submission.note, before);
    return made.hasValue() ? Answer::ok(made.value().iteration) : Answer::error(made.message());
}

} // namespace warpwright
