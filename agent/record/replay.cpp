// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/replay.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr int eventsAhead = 64;
constexpr qint64 eventsBetweenLandmarks = 64;

QString shortHash(const QString &hash) {
    return hash.isEmpty() ? QStringLiteral("none") : hash.left(12);
}

bool hasHunks(const TrajectoryEvent &event) {
    const auto hunks = event.body.find("hunks");
    return hunks != event.body.end() && hunks->is_array();
}

} // namespace

TrajectoryReplay::TrajectoryReplay(QString file, History history)
    : m_reader(std::move(file)), m_history(std::move(history)) {
    m_landmarks.emplace(0, State{});
}

Result<TrajectoryReplay> TrajectoryReplay::open(const QString &file, History history) {
    using Answer = Result<TrajectoryReplay>;
    const Result<TrajectoryReader::Page> first = TrajectoryReader(file).page(0, 1);
    if (!first.hasValue())
        return Answer::error(first.message());
    if (first.value().events.empty())
        return Answer::error(
            QStringLiteral("Cannot replay \"%1\": it holds no event. Name a run's trajectory.jsonl.")
                .arg(file));
    return Answer::ok(TrajectoryReplay(file, std::move(history)));
}

std::vector<TrajectoryReplay::Problem> TrajectoryReplay::problems() const {
    std::vector<Problem> problems;
    for (const auto &[number, message] : m_problems)
        problems.push_back({number, message});
    return problems;
}

Result<std::optional<ReplayedEvent>> TrajectoryReplay::next() {
    return advance(m_now);
}

Result<std::optional<ReplayedEvent>> TrajectoryReplay::advance(State &state) {
    using Answer = Result<std::optional<ReplayedEvent>>;
    if (m_ahead.empty() || m_ahead.back().offset < state.offset) {
        Result<TrajectoryReader::Page> read = m_reader.page(state.offset, eventsAhead);
        if (!read.hasValue())
            return Answer::error(read.message());
        m_ahead = std::move(read).value().events;
        std::reverse(m_ahead.begin(), m_ahead.end());
    }
    if (m_ahead.empty())
        return Answer::ok(std::nullopt);
    ReplayedEvent replayed;
    replayed.event = std::move(m_ahead.back());
    m_ahead.pop_back();
    const TrajectoryEvent &event = replayed.event;
    const QString before = state.hash;
    QStringList problems;
    if (event.number != state.number + 1)
        problems << QStringLiteral("it follows event %1, so something is missing between").arg(state.number);
    if (const QString problem = carryOut(state, event); !problem.isEmpty())
        problems << problem;
    state.number = event.number;
    state.offset = event.offset + event.bytes;
    replayed.changesText = state.hash != before;
    if (!problems.isEmpty()) {
        replayed.problem = QStringLiteral("Event %1 (%2) does not fit: %3")
                               .arg(event.number)
                               .arg(event.kind, problems.join(QStringLiteral("; ")));
        m_problems.insert_or_assign(event.number, replayed.problem);
    }
    if (replayed.changesText)
        m_byHash.emplace(state.hash, event.number);
    if (event.number % eventsBetweenLandmarks == 0)
        m_landmarks.emplace(event.number, state);
    return Answer::ok(std::move(replayed));
}

QString TrajectoryReplay::carryOut(State &state, const TrajectoryEvent &event) {
    if (event.kind == QLatin1String("run-began") || event.kind == QLatin1String("run-continued"))
        return beginText(state, event);
    if (event.kind == QLatin1String("applied") || event.kind == QLatin1String("hand-edit") ||
        event.kind == QLatin1String("restored"))
        return changeText(state, event);
    if (event.kind == QLatin1String("iteration"))
        return meetIteration(state, event);
    if (event.kind == QLatin1String("proposal"))
        learnProposal(event);
    return {};
}

QString TrajectoryReplay::beginText(State &state, const TrajectoryEvent &event) {
    const QString wanted = event.text("baseHash");
    if (state.number > 0 && !state.isLost && (wanted.isEmpty() || wanted == state.hash))
        return {};
    Result<CandidateTexts> texts = Result<CandidateTexts>::error({});
    if (hasHunks(event)) {
        Result<TextChange> read = changeFromJson(event.body);
        if (!read.hasValue())
            return read.message();
        TextChange change = std::move(read).value();
        change.resultHash = wanted;
        change.baseHash.clear();
        texts = applyChange(change, state.texts);
    } else if (knowsHash(state, wanted)) {
        texts = textWithHash(state, wanted);
    } else {
        texts = historyText(event.integer("iteration"), wanted);
    }
    state.isLost = !texts.hasValue();
    if (!texts.hasValue())
        return texts.message();
    state.texts = std::move(texts).value();
    state.hash = textHashOf(state.texts);
    return {};
}

QString TrajectoryReplay::changeText(State &state, const TrajectoryEvent &event) {
    const QString resultHash = event.text("resultHash");
    Result<CandidateTexts> texts = Result<CandidateTexts>::error({});
    if (!hasHunks(event)) {
        texts = textWithHash(state, resultHash);
    } else {
        Result<TextChange> read = changeFromJson(event.body);
        if (!read.hasValue()) {
            state.isLost = true;
            return read.message();
        }
        TextChange change = std::move(read).value();
        // A text that was there before may be there again (an undo): the hash says which it was.
        Result<CandidateTexts> base = textWithHash(state, change.baseHash);
        change.baseHash.clear();
        texts = base.hasValue() ? applyChange(change, base.value()) : std::move(base);
    }
    if (!texts.hasValue()) {
        const bool isNews = !std::exchange(state.isLost, true);
        return isNews ? texts.message() : QString();
    }
    state.texts = std::move(texts).value();
    state.hash = resultHash.isEmpty() ? textHashOf(state.texts) : resultHash;
    state.isLost = false;
    return {};
}

QString TrajectoryReplay::meetIteration(State &state, const TrajectoryEvent &event) {
    const QString hash = event.text("textHash");
    m_iterations.insert_or_assign(static_cast<int>(event.integer("number")), std::pair(event.number, hash));
    // The text of a branch need not be the workspace's.
    const bool isKnown = knowsHash(state, hash);
    if (isKnown && !state.isLost)
        return {};
    Result<CandidateTexts> texts =
        isKnown ? textWithHash(state, hash) : historyText(event.integer("number"), hash);
    if (state.isLost && texts.hasValue()) {
        state.texts = std::move(texts).value();
        state.hash = hash;
        state.isLost = false;
    }
    if (state.isLost || texts.hasValue())
        return {};
    return QStringLiteral("iteration %1 has a text with the hash %2, and the replayed one has %3")
        .arg(event.integer("number"))
        .arg(shortHash(hash), shortHash(state.hash));
}

void TrajectoryReplay::learnProposal(const TrajectoryEvent &event) {
    if (const QString result = event.text("resultHash"); !result.isEmpty())
        m_proposed.emplace(result, Proposed{event.offset, event.text("baseHash")});
}

bool TrajectoryReplay::knowsHash(const State &now, const QString &hash) const {
    return !hash.isEmpty() && (hash == now.hash || m_byHash.count(hash) > 0 || m_proposed.count(hash) > 0);
}

Result<CandidateTexts> TrajectoryReplay::historyText(qint64 iteration, const QString &hash) const {
    using Answer = Result<CandidateTexts>;
    if (!m_history || iteration <= 0)
        return Answer::error(
            QStringLiteral("the text with the hash %1 is not recorded here").arg(shortHash(hash)));
    Result<CandidateTexts> texts = m_history(static_cast<int>(iteration));
    if (texts.hasValue() && !hash.isEmpty() && textHashOf(texts.value()) != hash)
        return Answer::error(QStringLiteral("iteration %1 of the history has the hash %2, and %3 is recorded")
                                 .arg(iteration)
                                 .arg(shortHash(textHashOf(texts.value())), shortHash(hash)));
    return texts;
}

Result<CandidateTexts> TrajectoryReplay::textWithHash(const State &now, const QString &hash,
                                                      qint64 before) const {
    using Answer = Result<CandidateTexts>;
    if (!now.isLost && (hash.isEmpty() || hash == now.hash))
        return Answer::ok(now.texts);
    if (const auto seen = m_byHash.find(hash); seen != m_byHash.end()) {
        TrajectoryReplay earlier = *this;
        const Result<void> there = earlier.seek(seen->second);
        return there.hasValue() ? Answer::ok(earlier.texts()) : Answer::error(there.message());
    }
    if (const auto proposed = m_proposed.find(hash);
        proposed != m_proposed.end() && proposed->second.offset < before) {
        const Result<TrajectoryEvent> event = m_reader.eventAt(proposed->second.offset);
        const Result<TextChange> read = event.hasValue() ? changeFromJson(event.value().body)
                                                         : Result<TextChange>::error(event.message());
        if (!read.hasValue())
            return Answer::error(read.message());
        // Its base was there before it: so a chain of proposals ends.
        const Result<CandidateTexts> base =
            textWithHash(now, proposed->second.baseHash, proposed->second.offset);
        return base.hasValue() ? applyChange(read.value(), base.value()) : base;
    }
    return Answer::error(QStringLiteral("it belongs to a text with the hash %1, and the replayed one has %2")
                             .arg(shortHash(hash), shortHash(now.hash)));
}

Result<void> TrajectoryReplay::seek(qint64 number) {
    const State &landmark = std::prev(m_landmarks.upper_bound(number))->second;
    if (number < m_now.number || landmark.number > m_now.number) {
        m_now = landmark;
        m_ahead.clear();
    }
    while (m_now.number < number) {
        const Result<std::optional<ReplayedEvent>> step = advance(m_now);
        if (!step.hasValue())
            return Result<void>::error(step.message());
        if (!step.value())
            return Result<void>::error(QStringLiteral("Cannot go to event %1 of \"%2\": its last one is %3.")
                                           .arg(number)
                                           .arg(file())
                                           .arg(m_now.number));
    }
    return Result<void>::ok();
}

Result<void> TrajectoryReplay::seekIteration(int iteration) {
    if (const auto seen = m_iterations.find(iteration); seen != m_iterations.end())
        return seek(seen->second.first);
    while (m_iterations.count(iteration) == 0) {
        const Result<std::optional<ReplayedEvent>> step = advance(m_now);
        if (!step.hasValue())
            return Result<void>::error(step.message());
        if (!step.value())
            return Result<void>::error(
                QStringLiteral("Cannot go to iteration %1: the run \"%2\" made none with this number.")
                    .arg(iteration)
                    .arg(file()));
    }
    return Result<void>::ok();
}

Result<CandidateTexts> TrajectoryReplay::iterationTexts(int iteration) const {
    const auto seen = m_iterations.find(iteration);
    if (seen == m_iterations.end())
        return Result<CandidateTexts>::error(
            QStringLiteral("There is no iteration %1 up to event %2 of \"%3\".")
                .arg(iteration)
                .arg(m_now.number)
                .arg(file()));
    const QString &hash = seen->second.second;
    return knowsHash(m_now, hash) ? textWithHash(m_now, hash) : historyText(iteration, hash);
}

} // namespace warpwright
