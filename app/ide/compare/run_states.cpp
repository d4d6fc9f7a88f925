// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/compare/run_states.h"

#include "agent/record/run_iterations.h"
#include "app/ide/workbench/workbench.h"
#include "toolchain/base/figures.h"
#include "toolchain/findings/findings.h"

#include <QCoreApplication>

namespace warpwright {
namespace {

QString words(const char *text) {
    return QCoreApplication::translate("CompareController", text);
}

/// What the run kept of one of its iterations; `notes` gets what it did not.
ComparedState stateOf(const Workspace &workspace, const IterationRecord &record, const CandidateTexts &texts,
                      QStringList &notes) {
    ComparedState state;
    state.choice = ComparisonChoice::ofIteration(record.iteration.number);
    state.side.title = state.choice.title();
    state.side.note = noteOf(record);
    state.side.texts = texts;
    state.textHash = record.iteration.textHash;
    state.path = workspace.isLoneFile ? workspace.modelFile : workspace.folder;
    const Shown kept = Workbench::shownWithEvaluation(
        workspace.state, record.latest ? record.latest->id : QString(), record.latest);
    state.side.evaluation = kept.evaluation;
    FindingInput input;
    input.texts = texts;
    input.evaluation = kept.evaluation;
    state.findings = findingsOf(input);
    if (kept.isSummary && kept.figures.candidate() != nullptr) {
        const ArmFigures &time = *kept.figures.candidate();
        notes << words("%1: of its check the summary was kept, a call of %2")
                     .arg(state.side.title,
                          kept.figures.times.withSpread(time.medianMicroseconds, time.lowMicroseconds,
                                                        time.highMicroseconds));
    }
    return state;
}

} // namespace

Result<SharedPair> readRunPair(const Workspace &workspace, const QString &run, const ComparisonChoice &left,
                               const ComparisonChoice &right) {
    using Answer = Result<SharedPair>;
    std::vector<int> numbers;
    for (const ComparisonChoice *choice : {&left, &right})
        if (choice->kind == ComparisonChoice::Kind::Iteration)
            numbers.push_back(choice->iteration);
    const Result<RunIterations> read = runIterations(workspace.state, run, numbers);
    if (!read.hasValue())
        return Answer::error(read.message());
    QStringList notes{words("These are iterations of a past run: the texts and checks that it recorded are "
                            "compared; it recorded no counters and no listings")};
    const auto textSide = [&](const ComparisonChoice &choice) {
        using Side = Result<ComparedState>;
        if (choice.kind != ComparisonChoice::Kind::Iteration) {
            auto both = readStates(workspace, choice, choice);
            return both.hasValue() ? Side::ok(std::move(both).value().first) : Side::error(both.message());
        }
        const IterationRecord *record = read.value().record(choice.iteration);
        return record != nullptr
                   ? Side::ok(stateOf(workspace, *record, read.value().texts.at(choice.iteration), notes))
                   : Side::error(words("The run has no iteration %1.").arg(choice.iteration));
    };
    Result<ComparedState> first = textSide(left.isArm() ? right : left);
    if (!first.hasValue())
        return Answer::error(first.message());
    ComparedState one = std::move(first).value();
    ComparedState other;
    if (left.isArm()) {
        other = std::move(one);
        one = armBeside(other, left);
    } else if (right.isArm()) {
        other = armBeside(one, right);
    } else {
        Result<ComparedState> second = textSide(right);
        if (!second.hasValue())
            return Answer::error(second.message());
        other = std::move(second).value();
    }
    const SharedPair made = comparedPair(std::move(one), std::move(other));
    auto pair = std::make_shared<ComparedPair>(*made);
    // No command brings what a past run did not record.
    std::vector<MissingPart> &missing = pair->comparison.missing;
    std::erase_if(missing, [](const MissingPart &part) { return part.act != MissingPart::Act::None; });
    for (const QString &note : std::as_const(notes))
        missing.push_back({MissingPart::Act::None, note, {}});
    return Answer::ok(SharedPair(pair));
}

} // namespace warpwright
