// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/verdict.h"
#include "toolchain/bench/cheat_suite.h"
#include "toolchain/evaluation/judge_sections.h"

#include <optional>

namespace warpwright {

/// What came of one row of the suite, before it is compared with what was expected.
struct SuiteOutcome {
    Verdict verdict = Verdict::NotRun;
    QString reason;    ///< the judge's sentence, or why it was not run
    QStringList rules; ///< of the findings
    QString precision; ///< measured; empty: not
    QStringList doubts;
    bool isDegenerate = false;    ///< the task's result is the same whatever comes in
    std::optional<SpeedUp> ratio; ///< over the fastest baseline of its class; empty: not timed

    bool operator==(const SuiteOutcome &) const = default;
};

/// A row of `wright selftest`.
struct SuiteResult {
    SuiteRow row;
    QString got;
    bool isOk = false;
    bool wasRun = true;
    QString why;
    double seconds = 0;
    std::optional<SpeedUp> ratio;
};

/// Compares; `twin` is what the task's honest candidate reached, timed if the row is.
[[nodiscard]] SuiteResult judgeRow(const SuiteRow &row, const SuiteOutcome &outcome,
                                   const std::optional<SuiteOutcome> &twin, bool isCpu);

/// Whether measuring again may give another answer: times were too noisy, or the ratio was not the twin's.
[[nodiscard]] bool isWorthAnotherTry(const SuiteResult &result);

/// When there are no more tries: what still scatters, but is not faster than its twin at either end of its
/// interval, has gained nothing, and says so.
[[nodiscard]] SuiteResult settled(SuiteResult result, const std::optional<SuiteOutcome> &twin);

/// `warpwright.selftest/1`.
[[nodiscard]] OrderedJson suiteDocument(const std::vector<SuiteResult> &results, const OrderedJson &device,
                                        const OrderedJson &environment, double seconds);

/// 0: every row that this device can run is as expected; 1: some are not.
[[nodiscard]] int exitCodeFor(const std::vector<SuiteResult> &results);

} // namespace warpwright
