// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/prediction.h"
#include "agent/review/evidence.h"

#include <QString>

#include <map>
#include <optional>

namespace warpwright {

/// What was expected of one proposal, and what was measured: what the ledger fills in, and the rule of hits
/// reads.
struct LedgerRow {
    QString proposal;
    QString title;
    QString move;
    QString agent;
    Prediction prediction;
    std::map<QString, Prediction> bets; ///< by who placed them, before the result was shown
    std::optional<TimeRatio> measured;  ///< empty: not measured, or not verified
    /// The text before, in microseconds, as it was measured for `measured`: in the same run where it was
    /// timed beside. Empty: not measured.
    std::optional<double> before;
    std::optional<Verdict> verdict;
    bool isUnexercised = false; ///< nothing of it ran on this device: neither a hit nor a miss
    bool isHidden = false;      ///< the person bets before the result is shown
    // What is measured here is the proposal as it was made. What was written of it may be another text:
    int hunks = 0;             ///< that it had; 0: it was not applied, or was taken back
    int taken = 0;             ///< of those, the edited ones too
    int edited = 0;            ///< of those that were taken
    bool isBesideCode = false; ///< comments alone were taken

    bool operator==(const LedgerRow &) const = default;
};

} // namespace warpwright
