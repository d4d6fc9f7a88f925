// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/mcp/workspace_submission.h"

#include "agent/session/applied_text.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/workspace/workspace_lock.h"

namespace warpwright {

Result<ReadWorkspace> readWorkspaceOf(const Workspace &workspace) {
    using Answer = Result<ReadWorkspace>;
    if (const QString why = workspace.whyNotTuned(); !why.isEmpty())
        return Answer::error(why);
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

namespace {

/// What a submission finds once nobody else may write: the text that it was made from, or an error.
Result<CandidateTexts> unchangedText(const Workspace &workspace, WorkspaceLock &lock,
                                     const CandidateTexts &base) {
    using Answer = Result<CandidateTexts>;
    if (lock.take() != WorkspaceLock::State::Held)
        return Answer::error(QStringLiteral("Not submitted, and nothing was written. ") + lock.message());
    if (const Result<QString> finished = finishInterrupted(workspace, lock); !finished.hasValue())
        return Answer::error(finished.message());
    const Result<CandidateTexts> now = AppliedText(workspace).read();
    if (now.hasValue() && now.value() != base)
        return Answer::error(
            QStringLiteral(
                "Not submitted, and nothing was written: %1 of the workspace has changed since your copy "
                "was made. Call open_workspace: it lays your copy out anew, with the text as it is now.")
                .arg(changedFiles(base, now.value()).join(QStringLiteral(", "))));
    return now;
}

} // namespace

Result<void> maySubmitTo(const Workspace &workspace, const CandidateTexts &base) {
    WorkspaceLock lock(workspace.state);
    const Result<CandidateTexts> now = unchangedText(workspace, lock, base);
    return now.hasValue() ? Result<void>::ok() : Result<void>::error(now.message());
}

Result<Iteration> submitTo(const Workspace &workspace, const WorkspaceSubmission &submission) {
    using Answer = Result<Iteration>;
    WorkspaceLock lock(workspace.state);
    const Result<CandidateTexts> now = unchangedText(workspace, lock, submission.base);
    if (!now.hasValue())
        return Answer::error(now.message());
    const AppliedText applied(workspace);
    const auto kept = applied.store().commit(now.value(), applied.store().current(), Author{});
    if (!kept.hasValue())
        return Answer::error(kept.message());
    const int before = kept.value().iteration.number;
    const auto made = applied.apply(submission.texts, before, submission.author, submission.note, before);
    if (!made.hasValue())
        return Answer::error(made.message());
    const Result<QString> stored = EvaluationStore(workspace.state).store(submission.evaluation);
    if (!stored.hasValue())
        return Answer::error(stored.message());
    const Result<void> linked = applied.store().link(made.value().iteration.number, submission.evaluation.id);
    return linked.hasValue() ? Answer::ok(made.value().iteration) : Answer::error(linked.message());
}

} // namespace warpwright
