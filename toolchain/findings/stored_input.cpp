// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/findings/stored_input.h"

#include "toolchain/counters/counter_store.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/timeline/timeline_store.h"

namespace warpwright {
namespace {

/// The newest check of a text: an iteration's, for the history is what ties texts to evaluations. The same
/// text may stand in it more than once. `damaged`: why that one cannot be read.
std::optional<Evaluation> checkOf(const Workspace &workspace, const QString &textHash, QString &damaged) {
    const QString newest = IterationStore(workspace.state).evaluationOf(textHash);
    if (newest.isEmpty())
        return std::nullopt;
    Result<Evaluation> loaded = EvaluationStore(workspace.state).load(newest);
    if (loaded.hasValue())
        return std::move(loaded).value();
    damaged = loaded.message();
    return std::nullopt;
}

} // namespace

Result<StoredInput> storedInputOf(const Workspace &workspace, int iteration) {
    Result<CandidateTexts> texts =
        iteration > 0 ? IterationStore(workspace.state).texts(iteration) : readCandidateTexts(workspace);
    if (!texts.hasValue())
        return Result<StoredInput>::error(texts.message());
    return Result<StoredInput>::ok(storedInputOf(workspace, std::move(texts).value(), iteration));
}

StoredInput storedInputOf(const Workspace &workspace, CandidateTexts texts, int iteration) {
    StoredInput stored;
    stored.input.texts = std::move(texts);
    stored.subject.workspace = workspace.folder;
    stored.subject.textHash = textHashOf(stored.input.texts);
    stored.subject.iteration = iteration;
    stored.input.evaluation = checkOf(workspace, stored.subject.textHash, stored.damagedCheck);
    const CounterStore counters(workspace.state);
    const TimelineStore timelines(workspace.state);
    stored.input.counters = counters.latestOf(stored.subject.textHash);
    stored.input.timeline = timelines.latestOf(stored.subject.textHash);
    if (stored.input.timeline)
        stored.subject.timeline = stored.input.timeline->id;
    else if (const QString damaged = timelines.whyNotLatest(stored.subject.textHash); !damaged.isEmpty())
        stored.missing << damaged;
    const QString path = workspace.isLoneFile ? workspace.modelFile : workspace.folder;
    const QString which = iteration > 0 ? QStringLiteral(" --iteration %1").arg(iteration) : QString();
    if (stored.input.evaluation)
        stored.subject.evaluation = stored.input.evaluation->id;
    else if (!stored.damagedCheck.isEmpty())
        stored.missing << stored.damagedCheck;
    else
        stored.missing << QStringLiteral("no check of this text: wright check %1").arg(path);
    if (stored.input.counters)
        stored.subject.counters = stored.input.counters->id;
    else if (stored.damagedCounters = counters.whyNotLatest(stored.subject.textHash);
             !stored.damagedCounters.isEmpty())
        stored.missing << stored.damagedCounters;
    else if (const QString other = counters.newestText(); !other.isEmpty())
        stored.missing << QStringLiteral(
                              "no counters of this text (there are some of %1): wright counters %2%3")
                              .arg(other, path, which);
    else
        stored.missing << QStringLiteral("no counters of this text: wright counters %1%2").arg(path, which);
    return stored;
}

} // namespace warpwright
