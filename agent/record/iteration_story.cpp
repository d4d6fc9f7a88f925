// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/iteration_story.h"

#include "agent/record/trajectory_reader.h"

#include <algorithm>

namespace warpwright {

const TrajectoryEvent *IterationStory::last(const QString &kind) const {
    const auto found = std::find_if(events.rbegin(), events.rend(),
                                    [&kind](const TrajectoryEvent &event) { return event.kind == kind; });
    return found == events.rend() ? nullptr : &*found;
}

std::vector<TrajectoryEvent> IterationStory::all(const QString &kind) const {
    std::vector<TrajectoryEvent> some;
    std::copy_if(events.begin(), events.end(), std::back_inserter(some),
                 [&kind](const TrajectoryEvent &event) { return event.kind == kind; });
    return some;
}

Result<std::optional<IterationStory>> storyOf(RunIndex &index, const QString &stateFolder, int iteration) {
    using Answer = Result<std::optional<IterationStory>>;
    const Result<std::optional<IndexedIteration>> found = index.iteration(iteration);
    if (!found.hasValue())
        return Answer::error(found.message());
    if (!found.value())
        return Answer::ok(std::nullopt);
    const IndexedIteration &made = *found.value();
    const TrajectoryReader reader(trajectoryFile(runsFolder(stateFolder) + QLatin1Char('/') + made.run));
    // A step is rarely longer than some dozens of events; where it is, more is read.
    for (int around = 256;; around *= 8) {
        const qint64 first = std::max<qint64>(1, made.event - around);
        const Result<std::vector<IndexedEvent>> start = index.events(made.run, first, 1);
        if (!start.hasValue())
            return Answer::error(start.message());
        if (start.value().empty())
            return Answer::ok(std::nullopt);
        std::vector<TrajectoryEvent> events;
        qint64 offset = start.value().front().offset;
        bool isLast = false;
        while (!isLast && (events.empty() || events.back().number < made.event + around)) {
            Result<TrajectoryReader::Page> read = reader.page(offset, around);
            if (!read.hasValue())
                return Answer::error(read.message());
            TrajectoryReader::Page page = std::move(read).value();
            std::move(page.events.begin(), page.events.end(), std::back_inserter(events));
            offset = page.next;
            isLast = page.isLast;
        }
        ReplaySteps steps;
        for (const TrajectoryEvent &event : events)
            steps.add(event);
        const auto step =
            std::find_if(steps.steps().begin(), steps.steps().end(), [&made](const ReplayStep &one) {
                return one.first <= made.event && made.event <= one.last;
            });
        if (step == steps.steps().end())
            return Answer::ok(std::nullopt);
        const bool isCut =
            (step == steps.steps().begin() && first > 1) || (step + 1 == steps.steps().end() && !isLast);
        if (isCut)
            continue;
        IterationStory story{made.run, *step, {}};
        std::copy_if(events.begin(), events.end(), std::back_inserter(story.events),
                     [&story](const TrajectoryEvent &event) {
                         return story.step.first <= event.number && event.number <= story.step.last;
                     });
        return Answer::ok(std::move(story));
    }
}

} // namespace warpwright
