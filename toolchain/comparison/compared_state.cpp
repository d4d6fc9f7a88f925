// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/comparison/compared_state.h"

#include "toolchain/findings/stored_input.h"
#include "toolchain/history/iteration_store.h"

#include <algorithm>

namespace warpwright {
namespace {

FindingInput inputOf(const ComparedState &state) {
    FindingInput input;
    input.texts = state.side.texts;
    input.evaluation = state.side.evaluation;
    if (state.counters)
        input.counters = *state.counters;
    if (state.listing)
        input.inspection = *state.listing;
    return input;
}

Result<ComparedState> readText(const Workspace &workspace, const ComparisonChoice &choice,
                               const std::vector<IterationRecord> &records) {
    using Answer = Result<ComparedState>;
    ComparedState state;
    state.choice = choice;
    state.side.title = choice.title();
    state.path = workspace.isLoneFile ? workspace.modelFile : workspace.folder;
    if (choice.kind == ComparisonChoice::Kind::Iteration) {
        const auto found = std::find_if(records.begin(), records.end(), [&](const IterationRecord &record) {
            return record.iteration.number == choice.iteration;
        });
        if (found == records.end())
            return Answer::error(
                QStringLiteral("There is no iteration %1 in the history \"%2\": wright log lists those there "
                               "are.")
                    .arg(choice.iteration)
                    .arg(IterationStore(workspace.state).folder()));
        state.side.note = noteOf(*found);
    }
    Result<StoredInput> read = storedInputOf(workspace, choice.iteration);
    if (!read.hasValue())
        return Answer::error(read.message());
    StoredInput stored = std::move(read).value();
    state.findings = findingsOf(stored.input);
    state.textHash = stored.subject.textHash;
    state.damagedCheck = stored.damagedCheck;
    state.damagedCounters = stored.damagedCounters;
    state.side.texts = std::move(stored.input.texts);
    state.side.evaluation = std::move(stored.input.evaluation);
    if (stored.input.counters)
        state.counters = makeShared(std::move(*stored.input.counters));
    return Answer::ok(std::move(state));
}

} // namespace

QString ComparedState::iterationWords() const {
    return choice.kind == ComparisonChoice::Kind::Iteration
               ? QStringLiteral(" --iteration %1").arg(choice.iteration)
               : QString();
}

Result<std::pair<ComparedState, ComparedState>>
readStates(const Workspace &workspace, const ComparisonChoice &left, const ComparisonChoice &right) {
    using Answer = Result<std::pair<ComparedState, ComparedState>>;
    std::vector<int> numbers;
    for (const ComparisonChoice *choice : {&left, &right})
        if (choice->kind == ComparisonChoice::Kind::Iteration)
            numbers.push_back(choice->iteration);
    const Result<std::vector<IterationRecord>> records = IterationStore(workspace.state).records(numbers);
    if (!records.hasValue())
        return Answer::error(records.message());
    const bool areArms = left.isArm() && right.isArm();
    const ComparisonChoice anchor = left.isArm() ? right : left;
    Result<ComparedState> first = readText(workspace, areArms ? ComparisonChoice() : anchor, records.value());
    if (!first.hasValue())
        return Answer::error(first.message());
    if (left.isArm())
        return Answer::ok({armBeside(first.value(), left),
                           areArms ? armBeside(first.value(), right) : std::move(first).value()});
    if (right.isArm()) {
        ComparedState beside = armBeside(first.value(), right);
        return Answer::ok({std::move(first).value(), std::move(beside)});
    }
    Result<ComparedState> second = readText(workspace, right, records.value());
    if (!second.hasValue())
        return Answer::error(second.message());
    return Answer::ok({std::move(first).value(), std::move(second).value()});
}

void addListing(ComparedState &state, std::shared_ptr<const Inspection> listing) {
    state.listing = std::move(listing);
    if (!state.choice.isArm())
        state.findings = findingsOf(inputOf(state));
}

ComparedState armBeside(const ComparedState &text, const ComparisonChoice &choice) {
    ComparedState state;
    state.choice = choice;
    state.side.title = choice.title();
    state.side.note = QStringLiteral("timed beside %1").arg(text.choice.title().toLower());
    state.side.evaluation = text.side.evaluation;
    state.side.arm = choice.arm;
    state.textHash = text.textHash;
    state.counters = text.counters;
    state.damagedCheck = text.damagedCheck;
    state.damagedCounters = text.damagedCounters;
    state.path = text.path;
    return state;
}

} // namespace warpwright
