// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/review/hunk_answers.h"
#include "agent/review/prediction_ledger.h"

#include <set>

namespace warpwright {

/// What became of a whole run, for who was not there: each proposal with its answer, by whom, and what it did
/// to the time; and from where to where the text came. From the events alone.
class RunSummary {
public:
    /// In their order; kinds that say nothing of it are passed over.
    void take(const QString &kind, const Json &body);

    /// A line a proposal, then one for the whole, which names the best too; `ledger` of the same events.
    /// Empty: nothing was proposed.
    [[nodiscard]] QStringList lines(const PredictionLedger &ledger) const;
    /// Whether its last event of that kind was an end.
    [[nodiscard]] bool hasEnded() const { return m_hasEnded; }
    /// What stood open at the last event: "p3 was accepted and not written", "iteration 4 was not measured".
    /// Empty: nothing did.
    [[nodiscard]] QString openWords() const;

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
        int iteration = 0;         ///< that what was written of it became; 0: none yet
        int parent = 0;            ///< of that one

        /// What was written may be another text than the one that was proposed.
        [[nodiscard]] bool isOtherText() const;
    };
    [[nodiscard]] const EvaluationSummary *evaluationOf(int iteration) const;
    [[nodiscard]] QString gainOf(const Row &row, const LedgerRow *measured) const;
    [[nodiscard]] QString keptWords(const Row &row) const;
    [[nodiscard]] QString bestWords() const;
    [[nodiscard]] static QString outcomeOf(const Row &row);
    [[nodiscard]] static QString deciderOf(const Row &row);
    [[nodiscard]] static QString answeredWords(const Row &row);

    std::vector<Row> m_rows;
    std::map<int, EvaluationSummary> m_evaluations; ///< by iteration, measured last
    std::set<int> m_besideCode; ///< iterations that took the comments alone: no faster than the code before
    int m_start = 0;
    int m_now = 0;
    bool m_hasEnded = false;
};

/// "8 of 8 hunks accepted", "2 of 11 hunks accepted, 9 rejected", "not answered".
[[nodiscard]] QString answerCountWords(const HunkAnswers &answers, std::size_t hunks);

} // namespace warpwright
