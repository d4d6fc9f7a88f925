// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/review/evidence.h"
#include "agent/review/hunk_answers.h"
#include "agent/review/ledger_row.h"
#include "toolchain/base/json.h"

#include <map>

namespace warpwright {

/// How well somebody's expectations came true, over the rows that have both a number and a measurement.
struct Calibration {
    int count = 0;
    int sameDirection = 0; ///< faster was expected and measured, or neither; 1 is «not faster»
    int insideRange = 0;   ///< of those with a range: a hit, as outcomeOf() says it
    int withRange = 0;
    double meanLogError = 0; ///< of ln(measured / expected): above 0 it came out slower than expected
    double typicalFactor =
        1; ///< exp of the mean of |ln(measured / expected)|: 1 is exact, 2 off by half or double

    bool operator==(const Calibration &) const = default;
};

/// Expected against measured over a run, from its events alone.
class PredictionLedger {
public:
    /// In their order; kinds that say nothing of predictions are passed over.
    void take(const QString &kind, const Json &body);

    [[nodiscard]] const std::vector<LedgerRow> &rows() const { return m_rows; }
    [[nodiscard]] Calibration ofAgent(const QString &agent) const;
    [[nodiscard]] Calibration ofMove(const QString &move) const;
    [[nodiscard]] Calibration ofBets(const QString &by) const;

private:
    [[nodiscard]] LedgerRow *row(const QString &proposal);
    void takeApplied(LedgerRow &applied, const Json &body) const;

    std::vector<LedgerRow> m_rows;
    std::map<QString, int> m_bases; ///< proposal: the iteration it was made from
    std::map<int, EvaluationSummary> m_iterations;
    QString m_latest;      ///< the proposal that came last
    HunkAnswers m_answers; ///< to that one
};

} // namespace warpwright
