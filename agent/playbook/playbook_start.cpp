// SPDX-License-Identifier: GPL-3.0-or-later
// How the playbook begins with an existing text: what becomes of it is reported first, a text of its own from
// an earlier run is resumed, and what is surely slower is not proposed without asking.
#include "agent/playbook/playbook_choice.h"

#include "toolchain/base/figures.h"
#include "toolchain/evaluation/measured_figures.h"

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

bool gainsLess(const PlaybookMove &one, const PlaybookMove &other) {
    return one.prediction.timeRatio.value_or(1) < other.prediction.timeRatio.value_or(1);
}

/// "about 4.1 ms, 0.77 of the time"
QString predictionText(const PlaybookMove &move) {
    const QString time = move.prediction.words;
    return move.prediction.timeRatio
               ? QStringLiteral("%1, %2 of the time").arg(time, percentText(*move.prediction.timeRatio, 0))
               : time;
}

} // namespace

// "your text (5.33 ms)"
QString PlaybookChoice::standingText() const {
    if (!m_request.lastEvaluation)
        return QStringLiteral("your text");
    const MeasuredFigures figures = measuredFigures(*m_request.lastEvaluation);
    return figures.verdict == Verdict::Pass && figures.candidate() != nullptr
               ? QStringLiteral("your text (%1)").arg(timeText(figures.candidate()->medianMicroseconds))
               : QStringLiteral("your text (%1)").arg(verdictName(figures.verdict));
}

void PlaybookChoice::reportStart() {
    QString text =
        QStringLiteral("I write kernels of my own for the whole forward; %1 stays iteration %2, and is there "
                       "to branch from whatever becomes of mine.")
            .arg(standingText())
            .arg(m_request.iteration);
    // An earlier text may have been the better one.
    const std::optional<EvaluationSummary> standing =
        m_request.lastEvaluation ? std::optional(summaryOf(*m_request.lastEvaluation)) : std::nullopt;
    const IterationRecord *best = nullptr;
    for (const IterationRecord &record : m_request.history)
        if (standing && standing->candidate && record.latest && record.latest->verdict == Verdict::Pass &&
            record.latest->candidate && whyNotComparable(*standing, *record.latest).isEmpty() &&
            record.latest->candidate->highMicroseconds < standing->candidate->lowMicroseconds &&
            (best == nullptr ||
             record.latest->candidate->medianMicroseconds < best->latest->candidate->medianMicroseconds))
            best = &record;
    if (best != nullptr)
        text += QStringLiteral(" The fastest that is known is iteration %1, %2.")
                    .arg(best->iteration.number)
                    .arg(timeText(best->latest->candidate->medianMicroseconds));
    report(QStringLiteral("start"), text);
}

bool PlaybookChoice::isTooSlow(const PlaybookMove &move) const {
    return !m_setup.beatsTemplate && isSurelySlower(move);
}

// Once, before the first proposal. While a record is replayed the person was asked already.
void PlaybookChoice::chooseStart() {
    m_at.hasProposed = true;
    if (goesOnFromResumePoint())
        return;
    FirstMoves first = foundMoves(m_setup.pace);
    if (m_request.iteration > 0)
        reportStart();
    const bool isAtOnce = m_setup.pace == PlaybookPace::AllAtOnce;
    const PlaybookMove plain = first.texts.back();
    if (!isAtOnce && isTooSlow(plain))
        first = foundMoves(PlaybookPace::AllAtOnce);
    const FirstMoves all = first;
    std::erase_if(first.texts, [this](const PlaybookMove &move) { return isTooSlow(move); });
    if (first.texts.empty()) {
        const PlaybookMove best = *std::min_element(all.texts.begin(), all.texts.end(), gainsLess);
        const QString why = QStringLiteral("The best of my kernels for this reference should take %1, slower "
                                           "than %2.")
                                .arg(predictionText(best), standingText());
        if (isAtOnce) {
            m_at.whyBeaten = why + QStringLiteral(" So I propose nothing; nothing was changed.");
            return;
        }
        if (m_setup.asksPerson && !m_isRecalling && !m_at.hasLeave) {
            m_at.hasProposed = false; // once it is answered
            m_question = why;
            return;
        }
        report(QStringLiteral("slower"), why);
        m_at.hasLeave = m_at.hasLeave || m_isRecalling; // asked for in that run
        first.texts = {best};
        first.usual.reset();
    } else if (!isAtOnce && isTooSlow(plain)) {
        report(QStringLiteral("at-once"),
               QStringLiteral("Plain kernels should take %1, slower than %2. So I begin with all moves at "
                              "once: %3.")
                   .arg(predictionText(plain), standingText(), predictionText(first.texts.front())));
    } else if (first.texts.front().prediction.timeRatio.value_or(0) > 1) {
        report(QStringLiteral("even"),
               QStringLiteral("My first text should take %1: no faster than %2 as far "
                              "as can be predicted. What it takes is measured.")
                   .arg(predictionText(first.texts.front()), standingText()));
    }
    beginWith(first);
}

// The moves of an earlier run are in the history as titles.
QStringList PlaybookChoice::historyTitles() const {
    const std::vector<IterationRecord> &history = m_isRecalling ? m_asked.history : m_request.history;
    QStringList titles;
    for (int number = m_request.iteration; number > 0;) {
        const auto found =
            std::find_if(history.begin(), history.end(), [number](const IterationRecord &record) {
                return record.iteration.number == number;
            });
        if (found == history.end() || found->iteration.author.kind != AuthorKind::Playbook)
            break;
        titles.prepend(found->iteration.note);
        number = found->iteration.parent;
    }
    return titles;
}

void PlaybookChoice::seekResumePoint() {
    m_hasSoughtResumePoint = true;
    ResumeQuery query;
    query.titles = historyTitles();
    query.graph = *m_graph;
    query.plain = firstMove();
    query.program = m_at.program;
    query.target = target();
    query.deviceName = deviceName();
    query.measurements = measurements();
    query.texts = m_request.texts;
    query.workspace = m_request.workspace;
    FoundResumePoint found = findResumePoint(query);
    m_resumePoint = std::move(found.own);
    m_atOnce = std::move(found.atOnce);
}

// As firstMoves(), with what seekResumePoint() has found: evaluating all moves is slow.
FirstMoves PlaybookChoice::foundMoves(PlaybookPace pace) const {
    if (pace != PlaybookPace::AllAtOnce)
        return firstMoves(pace);
    FirstMoves first = m_atOnce;
    for (PlaybookMove &move : first.texts)
        predict(move);
    return first;
}

bool PlaybookChoice::goesOnFromResumePoint() {
    const std::optional<ResumePoint> own = std::exchange(m_resumePoint, std::nullopt);
    if (!own)
        return false;
    m_at.program = own->program;
    m_at.knobSets = own->knobSets;
    m_at.mine = m_request.texts;
    report(QStringLiteral("own"),
           QStringLiteral("The current text is mine, of an earlier run: I go on from it."));
    return true;
}

} // namespace warpwright
