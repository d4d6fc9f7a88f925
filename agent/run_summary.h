// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/hunk_answers.h"
#include "agent/prediction_ledger.h"

namespace warpwright {

/// What became of a whole run, for who was not there: each proposal with its answer, by whom, and what it did
/// to the time; and from where to where the text came. From the events alone.
class RunSummary {
public:
    /// In their order; kinds that say nothing of it are passed over.
    void take(const QString &kind, const Json &body);

    /// A line a proposal, then one for the whole; `ledger` of the same events. Empty: nothing was proposed.
    [[nodiscard]] QStringList lines(const PredictionLedger &ledger) const;

private:
    struct Row {
        QString id;
        QString title;
        HunkAnswers answers;
        std::size_t hunks = 0;
        bool isApplied = false;
        bool isLeftPart = false;   ///< a new kernel of it is not called
        bool isBesideCode = false; ///< comments alone were taken of it
        QString policy;            ///< "accept", "keep-as-branch", "discard"; empty: it did not decide
        QString step;              ///< "keep", "undo", "branch"; empty: it was no step
    };
    [[nodiscard]] static QString outcomeOf(const Row &row);
    [[nodiscard]] static QString deciderOf(const Row &row);

    std::vector<Row> m_rows;
    std::map<int, EvaluationSummary> m_evaluations; ///< by iteration, measured last
    int m_start = 0;
    int m_now = 0;
};

/// "8 of 8 hunks accepted", "2 of 11 hunks accepted, 9 rejected", "not answered".
[[nodiscard]] QString answerCountWords(const HunkAnswers &answers, std::size_t hunks);

} // namespace warpwright
