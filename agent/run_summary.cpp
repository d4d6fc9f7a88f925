// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/run_summary.h"

#include "agent/bet_first.h"
#include "toolchain/figures.h"

#include <set>

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

QString timeOf(const EvaluationSummary &summary) {
    return summary.candidate ? timeText(summary.candidate->medianMicroseconds) : verdictName(summary.verdict);
}

/// "1.30× 1.28–1.32 faster"; what is none is not called one.
QString gainOf(const LedgerRow &row) {
    if (!mayShowNumbers(row))
        return QStringLiteral("its result was hidden");
    if (row.isUnexercised)
        return QStringLiteral("not exercised");
    if (!row.measured)
        return row.verdict ? verdictName(*row.verdict) : QStringLiteral("not measured");
    const TimeRatio &ratio = *row.measured;
    const QString factor = factorText(1 / ratio.value, 1 / ratio.high, 1 / ratio.low).both();
    return ratio.isFaster()   ? factor + QStringLiteral(", faster")
           : ratio.isSlower() ? factor + QStringLiteral(", slower")
                              : factor + QStringLiteral(", no difference measured");
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
        m_now = std::max(m_now, integerIn(body, "number"));
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
    else if (!row.step.isEmpty())
        by.insert(QStringLiteral("person"));
    else
        for (const auto &[hunk, given] : row.answers.given())
            if (!given.by.isEmpty())
                by.insert(given.by);
    QStringList names;
    for (const QString &name : by)
        names << name;
    return names.isEmpty() ? QString() : QStringLiteral(" by ") + names.join(QStringLiteral(" and "));
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
        const bool isInPart = isKept && std::any_of(given.begin(), given.end(), [](const auto &answer) {
                                  return answer.second.answer == QLatin1String("reject");
                              });
        inPart += isInPart;
        const auto known = measured.find(row.id);
        QString gain = row.isBesideCode          ? QStringLiteral("comments alone: no gain of its own")
                       : known == measured.end() ? QStringLiteral("not measured")
                                                 : gainOf(*known->second);
        if (isInPart && !row.isBesideCode && known != measured.end() && known->second->measured &&
            mayShowNumbers(*known->second))
            gain += QStringLiteral(", measured of the whole proposal");
        lines << QStringLiteral("%1, %2: %3%4; %5")
                     .arg(row.id, row.title, outcomeOf(row), deciderOf(row), gain);
    }
    if (lines.isEmpty())
        return lines;
    QString whole = QStringLiteral("%1, %2 kept")
                        .arg(countText(static_cast<qsizetype>(m_rows.size()), QStringLiteral("proposal")),
                             QString::number(taken));
    if (inPart > 0)
        whole += QStringLiteral(" (%1 in part)").arg(inPart);
    const auto before = m_evaluations.find(m_start);
    const auto after = m_evaluations.find(m_now);
    if (before != m_evaluations.end() && after != m_evaluations.end() && m_start != m_now) {
        whole += QStringLiteral(": iteration %1, %2, became iteration %3, %4")
                     .arg(QString::number(m_start), timeOf(before->second), QString::number(m_now),
                          timeOf(after->second));
        if (const auto ratio = timeRatio(before->second, after->second))
            whole += QStringLiteral(" (%1)").arg(
                factorText(1 / ratio->value, 1 / ratio->high, 1 / ratio->low).both());
        if (const QString why = whyNoDifference(before->second, after->second); !why.isEmpty())
            whole += QStringLiteral(", ") + why;
    } else {
        whole += QStringLiteral(": iteration %1 stands").arg(m_now);
    }
    return lines << whole;
}

} // namespace warpwright
