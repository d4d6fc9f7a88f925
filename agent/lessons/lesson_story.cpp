// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/lessons/lesson_story.h"

#include "agent/record/reported_runs.h"
#include "agent/record/trajectory_reader.h"
#include "agent/review/prediction_outcome.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr int eventsOfAPage = 1000;

int numberIn(const Json &body, const char *key) {
    const auto found = body.find(key);
    return found != body.end() && found->is_number_integer() ? found->get<int>() : 0;
}

} // namespace

std::optional<double> LessonStep::beside() const {
    return !isHidden && measured && measured->way == TimeRatio::Way::SideBySide ? measuredFrom : std::nullopt;
}

std::optional<ArmTiming> LessonStep::expected(const Prediction &of) const {
    if (const std::optional<double> base = beside()) {
        Prediction there = of;
        there.beforeMicroseconds = base;
        return expectedTime(there);
    }
    return expectedTime(of, before ? std::optional(before->medianMicroseconds) : std::nullopt);
}

std::optional<ArmTiming> LessonStep::resulting() const {
    const std::optional<double> base = beside();
    if (!base || !after || state == State::KeptInPart)
        return after;
    ArmTiming timing = *after;
    timing.medianMicroseconds = measured->value * *base;
    timing.lowMicroseconds = measured->low * *base;
    timing.highMicroseconds = measured->high * *base;
    return timing;
}

LessonStory::LessonStory(const std::vector<ScriptStep> &steps) {
    for (const ScriptStep &step : steps) {
        LessonStep told;
        told.number = static_cast<int>(m_steps.size()) + 1;
        told.title = step.title;
        told.taught = step.taught;
        told.prediction = step.prediction;
        m_steps.push_back(std::move(told));
    }
}

int LessonStory::decided() const {
    return static_cast<int>(std::count_if(m_steps.begin(), m_steps.end(),
                                          [](const LessonStep &step) { return step.isDecided(); }));
}

int LessonStory::at() const {
    const auto first = std::find_if(m_steps.begin(), m_steps.end(),
                                    [](const LessonStep &step) { return !step.isDecided(); });
    return first == m_steps.end() ? 0 : first->number;
}

LessonStep *LessonStory::step(const QString &proposal) {
    const auto found = std::find_if(m_steps.begin(), m_steps.end(), [&proposal](const LessonStep &step) {
        return !proposal.isEmpty() && step.proposal == proposal;
    });
    return found == m_steps.end() ? nullptr : &*found;
}

void LessonStory::take(const QString &kind, const Json &body) {
    if (!body.is_object())
        return;
    const auto is = [&kind](const char *name) {
        return kind == QLatin1String(name);
    };
    if (is("run-began") || is("run-continued")) {
        m_mode = stringIn(body, "mode", m_mode);
        m_hasEnded = false;
        for (LessonStep &step : m_steps)
            if (step.state == LessonStep::State::Stopped)
                step.state = LessonStep::State::Current;
    } else if (is("run-stopped")) {
        rest();
    } else if (is("mode-changed")) {
        m_mode = stringIn(body, "to", m_mode);
    } else if (is("plan")) {
        takePlan(body);
    } else if (is("proposal")) {
        takeProposal(body);
    } else if (is("evaluation")) {
        takeEvaluation(body);
    } else if (is("run-ended")) {
        if (LessonStep *waiting = at() > 0 ? &m_steps[static_cast<std::size_t>(at()) - 1] : nullptr;
            waiting != nullptr && waiting->isOpen())
            settle(*waiting);
        m_hasEnded = at() == 0;
    } else {
        takeAnswer(kind, body);
        takeDecision(kind, body);
    }
    m_ledger.take(kind, body);
    takeLedger();
}

void LessonStory::rest() {
    for (LessonStep &step : m_steps)
        if (step.state == LessonStep::State::Current)
            step.state = LessonStep::State::Stopped;
}

bool LessonStory::isResting() const {
    return std::any_of(m_steps.begin(), m_steps.end(),
                       [](const LessonStep &step) { return step.state == LessonStep::State::Stopped; });
}

void LessonStory::takePlan(const Json &body) {
    const auto items = body.find("items");
    if (items == body.end() || !items->is_array() || items->size() != m_steps.size())
        return;
    m_hasBegun = m_hasBegun || std::equal(m_steps.begin(), m_steps.end(), items->begin(),
                                          [](const LessonStep &step, const Json &item) {
                                              return step.title == stringIn(item, "text");
                                          });
}

void LessonStory::takeProposal(const Json &body) {
    const QString title = stringIn(body, "title");
    const auto found = std::find_if(m_steps.begin(), m_steps.end(),
                                    [&title](const LessonStep &step) { return step.title == title; });
    if (found == m_steps.end())
        return;
    // Whatever became of the steps before it, nobody decides on them any more.
    for (auto before = m_steps.begin(); before != found; ++before)
        if (before->isOpen())
            settle(*before);
    LessonStep fresh;
    fresh.number = found->number;
    fresh.title = found->title;
    fresh.taught = found->taught;
    fresh.state = LessonStep::State::Current;
    fresh.proposal = stringIn(body, "proposal");
    fresh.prediction = predictionFromJson(body.value("prediction", Json::object()));
    fresh.hunks = hunkPlaces(body);
    m_bases[fresh.number] = numberIn(body, "iteration");
    if (const auto base = m_iterations.find(m_bases[fresh.number]); base != m_iterations.end()) {
        fresh.before = base->second.candidate;
        fresh.notRun = base->second.notRun;
    }
    m_reviewed = fresh.proposal;
    m_answers = HunkAnswers(body);
    *found = std::move(fresh);
    m_hasBegun = true;
}

void LessonStory::takeEvaluation(const Json &body) {
    const std::optional<EvaluationSummary> summary = summaryFromJson(body.value("summary", Json::object()));
    if (!summary)
        return;
    const QString of = stringIn(body, "of");
    if (summary->candidate && m_device.isEmpty()) {
        m_device = summary->device;
        m_measuredAt = summary->startedAt;
    }
    if (of == QLatin1String("iteration")) {
        const int iteration = numberIn(body, "iteration");
        m_iterations[iteration] = *summary;
        if (!m_start && stringIn(body, "proposal").isEmpty())
            m_start = summary->candidate;
        // The text before may be measured only when the proposal is there already.
        for (LessonStep &step : m_steps)
            if (step.isOpen() && m_bases[step.number] == iteration) {
                step.before = summary->candidate;
                step.notRun = summary->notRun;
            }
    } else if (LessonStep *found = step(stringIn(body, "proposal"));
               found != nullptr && of == QLatin1String("proposal")) {
        found->after = summary->candidate;
        found->notRun = summary->notRun;
    }
}

void LessonStory::takeAnswer(const QString &kind, const Json &body) {
    LessonStep *found = step(stringIn(body, "proposal"));
    if (found == nullptr)
        return;
    if (found->proposal == m_reviewed) {
        m_answers.take(kind, body);
        if (kind.startsWith(QLatin1String("decision")))
            found->state = !m_answers.given().empty() && m_answers.areAllRejected()
                               ? LessonStep::State::LeftOut
                               : LessonStep::State::Current;
    }
    if (kind == QLatin1String("decision") && !stringIn(body, "reason").isEmpty())
        found->why = stringIn(body, "reason");
}

void LessonStory::takeDecision(const QString &kind, const Json &body) {
    if (kind == QLatin1String("step")) { // of the one that was applied last
        LessonStep *applied = step(m_applied);
        if (applied == nullptr)
            return;
        const QString answer = stringIn(body, "answer");
        if (answer == QLatin1String("undo"))
            applied->state = LessonStep::State::LeftOut;
        else if (answer == QLatin1String("branch"))
            applied->state = LessonStep::State::Branch;
        else
            settle(*applied);
        return;
    }
    LessonStep *found = step(stringIn(body, "proposal"));
    if (found == nullptr)
        return;
    if (kind == QLatin1String("applied")) {
        m_applied = found->proposal;
        m_reviewed.clear();
        if (m_mode != QLatin1String("step")) // there it is only tried so far
            settle(*found);
    } else if (kind == QLatin1String("policy")) {
        found->why = stringIn(body, "why");
        const QString answer = stringIn(body, "answer");
        if (answer == QLatin1String("keep-as-branch"))
            found->state = LessonStep::State::Branch;
        else if (answer == QLatin1String("discard"))
            found->state = LessonStep::State::LeftOut;
    }
}

void LessonStory::settle(LessonStep &step) {
    if (step.proposal != m_applied) {
        step.state = LessonStep::State::LeftOut;
        return;
    }
    const auto &given = m_answers.given();
    const bool isInPart = std::any_of(given.begin(), given.end(), [](const auto &answer) {
        return answer.second.answer == QLatin1String("reject");
    });
    step.state = isInPart ? LessonStep::State::KeptInPart : LessonStep::State::Kept;
}

void LessonStory::takeLedger() {
    for (const LedgerRow &row : m_ledger.rows())
        if (LessonStep *found = step(row.proposal); found != nullptr) {
            found->bets = row.bets;
            found->verdict = row.verdict;
            found->measured = row.measured;
            found->measuredFrom = row.before;
            found->isUnexercised = row.isUnexercised;
            found->isHidden = row.isHidden;
        }
}

LessonStory lessonStoryIn(const QString &stateFolder, const std::vector<ScriptStep> &steps) {
    const QStringList runs = runNames(stateFolder);
    for (auto run = runs.crbegin(); run != runs.crend(); ++run) {
        LessonStory story(steps);
        const TrajectoryReader reader(trajectoryFile(runsFolder(stateFolder) + QLatin1Char('/') + *run));
        for (TrajectoryReader::Page page{{}, 0, 0, false}; !page.isLast;) {
            Result<TrajectoryReader::Page> read = reader.page(page.next, eventsOfAPage);
            if (!read.hasValue())
                break; // the list of past runs says why
            page = std::move(read).value();
            for (const TrajectoryEvent &event : page.events)
                story.take(event.kind, event.body);
            if (!story.hasBegun())
                break; // another agent's, which may be long
        }
        if (story.hasBegun())
            return story;
    }
    return LessonStory(steps);
}

} // namespace warpwright
