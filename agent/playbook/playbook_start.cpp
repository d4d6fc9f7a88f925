// SPDX-License-Identifier: GPL-3.0-or-later
// How the playbook begins beside a text that is there already: what becomes of that text is said first, a
// text of its own from an earlier run is gone on from, and what is surely slower is not proposed without
// being asked.
#include "agent/playbook/playbook_agent.h"

#include "toolchain/figures.h"
#include "toolchain/in_pool.h"
#include "toolchain/measured_figures.h"

#include <QTimer>

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

const QString startPrompt = QStringLiteral("start");
const QString allTheSame = QStringLiteral("Propose it all the same");
const QString leaveIt = QStringLiteral("Leave the text as it is");

bool promisesLess(const PlaybookMove &one, const PlaybookMove &other) {
    return one.prediction.timeRatio.value_or(1) < other.prediction.timeRatio.value_or(1);
}

/// "about 4.1 ms, 0.77 of the time"
QString foretoldWords(const PlaybookMove &move) {
    const QString time = move.prediction.words;
    return move.prediction.timeRatio
               ? QStringLiteral("%1, %2 of the time").arg(time, percentText(*move.prediction.timeRatio, 0))
               : time;
}

} // namespace

// "your text (5.33 ms)"
QString PlaybookAgent::standingWords() const {
    if (!m_request.lastEvaluation)
        return QStringLiteral("your text");
    const MeasuredFigures figures = measuredFigures(*m_request.lastEvaluation);
    return figures.verdict == Verdict::Pass && figures.candidate() != nullptr
               ? QStringLiteral("your text (%1)").arg(timeText(figures.candidate()->medianMicroseconds))
               : QStringLiteral("your text (%1)").arg(verdictName(figures.verdict));
}

void PlaybookAgent::tellStart() {
    QString text =
        QStringLiteral("I write kernels of my own for the whole forward; %1 stays iteration %2, and is there "
                       "to branch from whatever becomes of mine.")
            .arg(standingWords())
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
    sayOnce(QStringLiteral("start"), text);
}

bool PlaybookAgent::isTooSlow(const PlaybookMove &move) const {
    return !m_setup.beatsTemplate && isSurelySlower(move);
}

// Once, before the first proposal. In a record that is gone through again the person was asked already.
void PlaybookAgent::chooseStart() {
    m_at.hasProposed = true;
    if (goesOnFromOwn())
        return;
    FirstMoves first = foundMoves(m_setup.pace);
    if (m_request.iteration > 0)
        tellStart();
    if (!m_isWorking) // whoever was told may have stopped us
        return;
    const bool isAtOnce = m_setup.pace == PlaybookPace::AllAtOnce;
    const PlaybookMove plain = first.texts.back();
    if (!isAtOnce && isTooSlow(plain))
        first = foundMoves(PlaybookPace::AllAtOnce);
    const FirstMoves all = first;
    std::erase_if(first.texts, [this](const PlaybookMove &move) { return isTooSlow(move); });
    if (first.texts.empty()) {
        const PlaybookMove best = *std::min_element(all.texts.begin(), all.texts.end(), promisesLess);
        const QString why = QStringLiteral("The best of my kernels for this reference should take %1, slower "
                                           "than %2.")
                                .arg(foretoldWords(best), standingWords());
        if (isAtOnce) {
            m_at.whyBeaten = why + QStringLiteral(" So I propose nothing; nothing was changed.");
            return;
        }
        if (m_setup.asksPerson && !m_isRecalling && !m_at.hasLeave) {
            m_at.hasProposed = false; // once it is answered
            m_question = why;
            return;
        }
        sayOnce(QStringLiteral("slower"), why);
        m_at.hasLeave = m_at.hasLeave || m_isRecalling; // it was asked for then
        first.texts = {best};
        first.usual.reset();
    } else if (!isAtOnce && isTooSlow(plain)) {
        sayOnce(QStringLiteral("at-once"),
                QStringLiteral("Plain kernels should take %1, slower than %2. So I begin with all moves at "
                               "once: %3.")
                    .arg(foretoldWords(plain), standingWords(), foretoldWords(first.texts.front())));
    } else if (first.texts.front().prediction.timeRatio.value_or(0) > 1) {
        sayOnce(QStringLiteral("even"),
                QStringLiteral("My first text should take %1: no faster than %2 as far "
                               "as can be foretold. What it takes is measured.")
                    .arg(foretoldWords(first.texts.front()), standingWords()));
    }
    beginWith(first);
}

// The moves of an earlier run stand in the history as titles.
QStringList PlaybookAgent::ownTitles() const {
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

// In the pool, for it goes through all moves of all of them. Whoever is stopped or asked anew meanwhile hears
// nothing of it.
void PlaybookAgent::seekOwn(std::function<void()> then) {
    m_hasSoughtOwn = true;
    m_own.reset();
    OwnStartQuestion question;
    question.titles = ownTitles();
    question.graph = *m_graph;
    question.plain = firstMove();
    question.plan = m_at.plan;
    question.device = device();
    question.deviceName = deviceName();
    question.measurements = measurements();
    question.texts = m_request.texts;
    question.workspace = m_request.workspace;
    inPool(
        this, [question = std::move(question)] { return findStart(question); },
        [this, number = m_number, then = std::move(then)](const FoundStart &found) {
            if (!m_isWorking || number != m_number)
                return;
            m_own = found.own;
            m_atOnce = found.atOnce;
            then();
        });
}

// As firstMoves(), with what the pool has found: all moves at once are many.
FirstMoves PlaybookAgent::foundMoves(PlaybookPace pace) const {
    if (pace != PlaybookPace::AllAtOnce)
        return firstMoves(pace);
    FirstMoves first = m_atOnce;
    for (PlaybookMove &move : first.texts)
        foretell(move);
    return first;
}

bool PlaybookAgent::goesOnFromOwn() {
    const std::optional<OwnStart> own = std::exchange(m_own, std::nullopt);
    if (!own)
        return false;
    m_at.plan = own->plan;
    m_at.tunings = own->tunings;
    m_at.mine = m_request.texts;
    sayOnce(QStringLiteral("own"),
            QStringLiteral("The text that stands is mine, of an earlier run: I go on from it."));
    return true;
}

void PlaybookAgent::askStart() {
    // The one that was proposed already was not rejected for what it takes.
    const QString later = m_at.hasProposed
                              ? QString()
                              : QStringLiteral(" Moves may make it faster later, one after the other.");
    emit prompted(
        {startPrompt, 0, m_question + later, {allTheSame, leaveIt}, AgentPrompt::About::Course, {}, leaveIt});
}

void PlaybookAgent::answerPrompt(const QString &id, const QString &answer) {
    if (id != startPrompt || !m_isWorking || m_question.isEmpty() || answer.isEmpty())
        return; // taken away by a stop, which ends it
    const QString why = std::exchange(m_question, {});
    m_at.hasLeave = answer == allTheSame;
    QTimer::singleShot(0, this, [this, why, number = m_number] {
        if (!m_isWorking || number != m_number)
            return;
        if (m_at.hasLeave)
            return work();
        end(why + QStringLiteral(" You left your text as it is; nothing was changed."));
    });
}

} // namespace warpwright
