// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/run_iterations.h"

#include "agent/run_scene.h"
#include "agent/trajectory_reader.h"

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
        if (!texts.hasValue())
            return Answer::error(texts.message());
        read.texts[number] = std::move(texts).value();
    }
    return Answer::ok(std::move(read));
}

} // namespace warpwright
