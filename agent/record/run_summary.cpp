// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/run_summary.h"

#include "agent/review/bet_first.h"
#include "toolchain/base/figures.h"
#include "toolchain/history/best_iteration.h"

#include <algorithm>

namespace warpwright {
namespace {

int integerIn(const Json &body, const char *field) {
    const auto found = body.find(field);
    return found != body.end() && found->is_number_integer() ? found->get<int>() : 0;
}

std::size_t countIn(const Json &body, const char *field) {
    const auto found = body.find(field);
    return found != body.end() && found->is_array() ? found->size() : 0;
}

/// "10.23 ms, inconclusive": a time is none to build on where the clock left it open.
QString timeOf(const EvaluationSummary &summary) {
    if (!summary.candidate)
        return verdictName(summary.verdict);
    const QString time = timeText(summary.candidate->medianMicroseconds);
    return summary.verdict == Verdict::Pass
               ? time
               : QStringLiteral("%1, %2").arg(time, verdictName(summary.verdict));
}

/// "1.30× 1.28–1.32, faster"; what is none is not called one.
QString ratioWords(const TimeRatio &ratio) {
    const QString factor = factorText(1 / ratio.value, 1 / ratio.high, 1 / ratio.low).both();
    return ratio.isFaster()   ? factor + QStringLiteral(", faster")
           : ratio.isSlower() ? factor + QStringLiteral(", slower")
                              : factor + QStringLiteral(", no difference measured");
}

QString resultWords(const LedgerRow &row) {
    if (!mayShowNumbers(row))
        return QStringLiteral("its result was hidden");
    if (row.isUnexercised)
        return QStringLiteral("not exercised");
    if (!row.measured)
        return row.verdict ? verdictName(*row.verdict) : QStringLiteral("not measured");
    return ratioWords(*row.measured);
}

/// "16.7× as fast": by the times that stand beside it, as a recording's page says it. Empty: they cannot be
/// compared.
QString asFastWords(const EvaluationSummary &before, const EvaluationSummary &after) {
    if (!timeRatio(before, after) || !before.candidate || !after.candidate ||
        !(after.candidate->medianMicroseconds > 0))
        return {};
    return QStringLiteral("%1 as fast")
        .arg(factorText(before.candidate->medianMicroseconds / after.candidate->medianMicroseconds));
}

} // namespace

QString answerCountWords(const HunkAnswers &answers, std::size_t hunks) {
    std::map<QString, int> counts;
    for (const auto &[hunk, given] : answers.given())
        ++counts[given.answer];
    QStringList parts;
    const auto say = [&](const char *answer, const char *word) {
        if (const int count = counts[QLatin1String(answer)]; count > 0)
            parts << (parts.isEmpty()
                          ? QStringLiteral("%1 of %2 %3 %4")
                                .arg(count)
                                .arg(hunks)
                                .arg(hunks == 1 ? QStringLiteral("hunk") : QStringLiteral("hunks"),
                                     QLatin1String(word))
                          : QStringLiteral("%1 %2").arg(count).arg(QLatin1String(word)));
    };
    say("accept", "accepted");
    say("edit", "edited");
    say("reject", "rejected");
    return parts.isEmpty() ? QStringLiteral("not answered") : parts.join(QStringLiteral(", "));
}

void RunSummary::take(const QString &kind, const Json &body) {
    const auto is = [&kind](const char *name) {
        return kind == QLatin1String(name);
    };
    if (is("run-ended") || is("run-stopped"))
        m_hasEnded = true;
    else if (is("run-began") || is("run-continued"))
        m_hasEnded = false;
    if (is("run-began")) {
        m_start = m_now = integerIn(body, "iteration");
    } else if (is("run-continued") || is("restored")) {
        m_now = integerIn(body, "iteration");
    } else if (is("evaluation")) {
        const auto summary = body.find("summary");
        if (stringIn(body, "of") == QLatin1String("iteration") && summary != body.end())
            if (const auto read = summaryFromJson(*summary))
                m_evaluations[integerIn(body, "iteration")] = *read;
    } else if (is("proposal")) {
        Row row;
        row.id = stringIn(body, "proposal");
        row.title = stringIn(body, "title");
        row.answers = HunkAnswers(body);
        row.hunks = countIn(body, "hunks") + countIn(body, "renames");
        // Of a run that went on it may be made once more, with its number.
        std::erase_if(m_rows, [&row](const Row &one) { return one.id == row.id; });
        m_rows.push_back(std::move(row));
    } else if (!m_rows.empty() && is("step")) {
        m_rows.back().step = stringIn(body, "answer");
    } else if (!m_rows.empty() && is("iteration") && m_rows.back().isApplied) {
        Row &row = m_rows.back();
        m_now = std::max(m_now, integerIn(body, "number"));
        if (row.iteration == 0) {
            row.iteration = integerIn(body, "number");
            row.parent = integerIn(body, "parent");
            if (row.isBesideCode)
                m_besideCode.insert(row.iteration);
        }
    } else if (!m_rows.empty() && stringIn(body, "proposal") == m_rows.back().id) {
        Row &row = m_rows.back();
        row.answers.take(kind, body);
        if (is("applied")) {
            row.isApplied = true;
            row.isLeftPart = countIn(body, "uncalled") > 0;
            row.isBesideCode = body.contains("besideCode");
        } else if (is("policy")) {
            row.policy = stringIn(body, "answer");
        }
    }
}

/// "2 of 2 hunks accepted by policy, then taken back": in Step the hunks are answered first, by whom each
/// says, and then the tried step; of that answer the record does not say whose it is.
QString RunSummary::answeredWords(const Row &row) {
    if (row.step.isEmpty() || !row.policy.isEmpty())
        return outcomeOf(row) + deciderOf(row);
    const QString counts = answerCountWords(row.answers, row.hunks);
    return (row.isLeftPart ? counts + QStringLiteral(" (its new kernel is not called)") : counts) +
           deciderOf(row) + QStringLiteral(", then ") +
           (row.step == QLatin1String("keep") ? QStringLiteral("kept") : outcomeOf(row));
}

QString RunSummary::outcomeOf(const Row &row) {
    if (row.step == QLatin1String("undo"))
        return QStringLiteral("taken back");
    if (row.step == QLatin1String("branch") || row.policy == QLatin1String("keep-as-branch"))
        return QStringLiteral("kept as a branch");
    if (row.policy == QLatin1String("discard"))
        return QStringLiteral("left out");
    const QString counts = answerCountWords(row.answers, row.hunks);
    return row.isLeftPart ? counts + QStringLiteral(" (its new kernel is not called)") : counts;
}

QString RunSummary::deciderOf(const Row &row) {
    std::set<QString> by;
    if (!row.policy.isEmpty())
        by.insert(QStringLiteral("policy"));
    else
        for (const auto &[hunk, given] : row.answers.given())
            if (!given.by.isEmpty())
                by.insert(given.by);
    QStringList names;
    for (const QString &name : by)
        names << name;
    return names.isEmpty() ? QString() : QStringLiteral(" by ") + names.join(QStringLiteral(" and "));
}

bool RunSummary::Row::isOtherText() const {
    const auto &given = answers.given();
    return isApplied && std::any_of(given.begin(), given.end(), [](const auto &answer) {
               return answer.second.answer != QLatin1String("accept");
           });
}

const EvaluationSummary *RunSummary::evaluationOf(int iteration) const {
    const auto found = m_evaluations.find(iteration);
    return found == m_evaluations.end() ? nullptr : &found->second;
}

/// "what was kept, iteration 3: 17.60 µs, 1.03× 1.02–1.04, faster"
QString RunSummary::keptWords(const Row &row) const {
    const EvaluationSummary *kept = evaluationOf(row.iteration);
    if (kept == nullptr)
        return QStringLiteral("what was kept was not measured");
    QString words =
        QStringLiteral("what was kept, iteration %1: %2").arg(QString::number(row.iteration), timeOf(*kept));
    const EvaluationSummary *before = evaluationOf(row.parent);
    if (const auto ratio = before == nullptr ? std::nullopt : timeRatio(*before, *kept))
        words += QStringLiteral(", ") + ratioWords(*ratio);
    return words;
}

// What is judged is the proposal as it was made. Of one that was taken in part, or edited, something else was
// written: both are said, each with what it is of.
QString RunSummary::gainOf(const Row &row, const LedgerRow *measured) const {
    if (row.isBesideCode)
        return QStringLiteral("comments alone: no gain of its own");
    const bool isHidden = measured != nullptr && !mayShowNumbers(*measured);
    const QString whole = measured == nullptr ? QStringLiteral("not measured") : resultWords(*measured);
    if (!row.isOtherText() || isHidden)
        return whole;
    return QStringLiteral("the whole proposal: %1; %2").arg(whole, keptWords(row));
}

// By the rule of all lists; what the run began with is no success of its.
QString RunSummary::bestWords() const {
    BestIteration best;
    const EvaluationSummary *undecided = nullptr;
    int open = 0;
    for (const auto &[number, summary] : m_evaluations) {
        if (m_besideCode.count(number) > 0) {
            best.takeBeside(summary);
            continue;
        }
        best.take(number, summary);
        if (summary.verdict == Verdict::Inconclusive && summary.candidate &&
            (undecided == nullptr ||
             summary.candidate->medianMicroseconds < undecided->candidate->medianMicroseconds)) {
            undecided = &summary;
            open = number;
        }
    }
    const EvaluationSummary *found = evaluationOf(best.place());
    if (found == nullptr || !found->candidate)
        return open > 0 ? QStringLiteral("; no best: iteration %1, %2, is left open by the clock")
                              .arg(QString::number(open), timeText(undecided->candidate->medianMicroseconds))
                        : QString();
    QString words = QStringLiteral("; best: iteration %1").arg(best.place());
    if (best.place() == m_now)
        return words;
    words += QStringLiteral(", %1").arg(timeText(found->candidate->medianMicroseconds));
    if (const EvaluationSummary *start = evaluationOf(m_start); start != nullptr && best.place() != m_start)
        if (const QString gain = asFastWords(*start, *found); !gain.isEmpty())
            words += QStringLiteral(" (%1)").arg(gain);
    const bool isLess = undecided != nullptr &&
                        undecided->candidate->medianMicroseconds < found->candidate->medianMicroseconds;
    return isLess ? words + QStringLiteral(", of those that passed") : words;
}

QString RunSummary::openWords() const {
    if (m_rows.empty())
        return {};
    const Row &row = m_rows.back();
    if (row.isApplied) {
        if (row.iteration == 0)
            return QStringLiteral("%1 was written, and became no iteration").arg(row.id);
        return evaluationOf(row.iteration) == nullptr
                   ? QStringLiteral("iteration %1, of %2, was not measured").arg(row.iteration).arg(row.id)
                   : QString();
    }
    const bool isAccepted = row.policy == QLatin1String("accept");
    if ((!row.policy.isEmpty() && !isAccepted) || !row.step.isEmpty())
        return {};
    const auto &given = row.answers.given();
    if (!isAccepted && given.size() < row.hunks)
        return QStringLiteral("%1 was proposed; %2")
            .arg(row.id, given.empty() ? QStringLiteral("nobody had answered")
                                       : answerCountWords(row.answers, row.hunks));
    return !isAccepted && row.answers.areAllRejected()
               ? QString()
               : QStringLiteral("%1 was accepted and never written").arg(row.id);
}

QStringList RunSummary::lines(const PredictionLedger &ledger) const {
    QStringList lines;
    std::size_t taken = 0, inPart = 0;
    std::map<QString, const LedgerRow *> measured;
    for (const LedgerRow &one : ledger.rows())
        measured[one.proposal] = &one;
    for (const Row &row : m_rows) {
        const bool isKept = row.isApplied && (row.step.isEmpty() || row.step == QLatin1String("keep"));
        taken += isKept;
        const auto &given = row.answers.given();
        inPart += isKept && std::any_of(given.begin(), given.end(), [](const auto &answer) {
                      return answer.second.answer == QLatin1String("reject");
                  });
        const auto known = measured.find(row.id);
        lines << QStringLiteral("%1, %2: %3; %4")
                     .arg(row.id, row.title, answeredWords(row),
                          gainOf(row, known == measured.end() ? nullptr : known->second));
    }
    if (lines.isEmpty())
        return lines;
    QString whole = QStringLiteral("%1, %2 kept")
                        .arg(countText(static_cast<qsizetype>(m_rows.size()), QStringLiteral("proposal")),
                             QString::number(taken));
    if (inPart > 0)
        whole += QStringLiteral(" (%1 in part)").arg(inPart);
    const EvaluationSummary *before = evaluationOf(m_start);
    const EvaluationSummary *after = evaluationOf(m_now);
    if (before != nullptr && after != nullptr && m_start != m_now) {
        whole += QStringLiteral(": iteration %1, %2, became iteration %3, %4")
                     .arg(QString::number(m_start), timeOf(*before), QString::number(m_now), timeOf(*after));
        if (const QString gain = asFastWords(*before, *after); !gain.isEmpty())
            whole += QStringLiteral(" (%1)").arg(gain);
        if (const QString why = whyNoDifference(*before, *after); !why.isEmpty())
            whole += QStringLiteral(", ") + why;
    } else {
        whole += QStringLiteral(": iteration %1 stands").arg(m_now);
    }
    return lines << whole + bestWords();
}

} // namespace warpwright
