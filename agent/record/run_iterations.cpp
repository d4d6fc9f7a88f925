// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/run_iterations.h"

#include "agent/record/run_scene.h"
#include "agent/record/trajectory_reader.h"
#include "toolchain/history/iteration_store.h"

#include <algorithm>
#include <limits>

namespace warpwright {

const IterationRecord *RunIterations::record(int number) const {
    const auto found = std::find_if(records.begin(), records.end(), [number](const IterationRecord &one) {
        return one.iteration.number == number;
    });
    return found == records.end() ? nullptr : &*found;
}

IterationRecord recordOf(const IndexedIteration &indexed) {
    IterationRecord record{indexed.iteration, {}, indexed.latest, {}};
    if (indexed.latest)
        record.evaluations << indexed.latest->id;
    record.mark = indexed.isBesideCode ? IterationMark::BesideCode : IterationMark::None;
    return record;
}

void addFromHistory(const QString &stateFolder, const QString &run, std::vector<IterationRecord> &records) {
    const QString file = trajectoryFile(runsFolder(stateFolder) + QLatin1Char('/') + run);
    const Result<TrajectoryReader::Page> first = TrajectoryReader(file).page(0, 1);
    if (!first.hasValue() || first.value().events.empty())
        return;
    const TrajectoryEvent &began = first.value().events.front();
    std::vector<int> asked{static_cast<int>(began.integer("iteration"))};
    for (const IterationRecord &record : records)
        asked.push_back(record.iteration.number);
    const Result<std::vector<IterationRecord>> known = IterationStore(stateFolder).records(asked);
    if (!known.hasValue())
        return; // a recording: its events are all that there is
    for (const IterationRecord &of : known.value()) {
        const auto there = std::find_if(records.begin(), records.end(), [&of](const IterationRecord &record) {
            return record.iteration.number == of.iteration.number;
        });
        if (there == records.end()) {
            if (of.iteration.textHash == began.text("baseHash"))
                records.insert(records.begin(), of);
        } else if (there->iteration.textHash == of.iteration.textHash) {
            if (!there->latest) {
                there->latest = of.latest;
                there->evaluations = of.evaluations;
            }
            if (there->mark == IterationMark::None)
                there->mark = of.mark;
        }
    }
}

Result<RunIterations> runIterations(const QString &stateFolder, const QString &run,
                                    const std::vector<int> &wanted) {
    using Answer = Result<RunIterations>;
    Result<RunIndex> opened = RunIndex::open(stateFolder);
    if (!opened.hasValue())
        return Answer::error(opened.message());
    RunIndex index = std::move(opened).value();
    const auto rows = index.iterations(run, 0, std::numeric_limits<int>::max());
    if (!rows.hasValue())
        return Answer::error(rows.message());
    RunIterations read;
    for (const IndexedIteration &row : rows.value())
        read.records.push_back(recordOf(row));
    addFromHistory(stateFolder, run, read.records);
    if (wanted.empty())
        return Answer::ok(std::move(read));
    const QString file = trajectoryFile(runsFolder(stateFolder) + QLatin1Char('/') + run);
    Result<TrajectoryReplay> replay = TrajectoryReplay::open(file, historyBeside(file));
    if (!replay.hasValue())
        return Answer::error(replay.message());
    TrajectoryReplay all = std::move(replay).value();
    for (;;) {
        const auto next = all.next();
        if (!next.hasValue())
            return Answer::error(next.message());
        if (!next.value())
            break;
    }
    for (const int number : wanted) {
        Result<CandidateTexts> texts = all.iterationTexts(number);
        const IterationRecord *record = read.record(number);
        if (!texts.hasValue() && record != nullptr) { // the one that it began with
            Result<CandidateTexts> kept = IterationStore(stateFolder).texts(number);
            if (kept.hasValue() && textHashOf(kept.value()) == record->iteration.textHash)
                texts = std::move(kept);
        }
        if (!texts.hasValue())
            return Answer::error(texts.message());
        read.texts[number] = std::move(texts).value();
    }
    return Answer::ok(std::move(read));
}

} // namespace warpwright
