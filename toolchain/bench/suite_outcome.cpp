// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/bench/suite_outcome.h"

#include <algorithm>

namespace warpwright {
namespace {

// Two candidates that do the same work differ by that much from process to process, over what their intervals
// say: on a CPU other programs' work is in it.
constexpr double spreadCpu = 0.15;
constexpr double spreadCuda = 0.03;

const QString harmless = QStringLiteral("harmless");

QString ratioText(const SpeedUp &ratio) {
    return QStringLiteral("%1x [%2, %3]")
        .arg(ratio.value, 0, 'f', 2)
        .arg(ratio.low, 0, 'f', 2)
        .arg(ratio.high, 0, 'f', 2);
}

} // namespace

SuiteResult judgeRow(const SuiteRow &row, const SuiteOutcome &outcome,
                     const std::optional<SuiteOutcome> &twin, bool isCpu) {
    SuiteResult result{row, verdictName(outcome.verdict), false, true, outcome.reason, 0, outcome.ratio};
    const QString detail = row.expected.section(QLatin1Char(':'), 1);
    if (outcome.verdict == Verdict::Rejected && !outcome.rules.isEmpty())
        result.got +=
            QLatin1Char(':') + (outcome.rules.contains(detail) ? detail : outcome.rules.constFirst());
    else if (outcome.verdict == Verdict::Pass && outcome.isDegenerate)
        result.got += QStringLiteral(":degenerate");
    else if (!detail.isEmpty() && !outcome.precision.isEmpty())
        result.got += QLatin1Char(':') + outcome.precision;
    if (row.expected.endsWith(QLatin1String("+doubt")) &&
        std::any_of(outcome.doubts.begin(), outcome.doubts.end(),
                    [](const QString &doubt) { return doubt.startsWith(QLatin1String("Stress inputs")); }))
        result.got += QStringLiteral("+doubt");

    if (row.mayBeHarmless() && outcome.verdict == Verdict::Pass) {
        if (!row.isTimed) {
            result.got = harmless;
        } else if (outcome.ratio && twin && twin->ratio) {
            const double spread = isCpu ? spreadCpu : spreadCuda;
            const bool hasGained = outcome.ratio->low > twin->ratio->high * (1 + spread);
            result.got = hasGained ? QStringLiteral("pass, faster than its twin") : harmless;
            result.why =
                QStringLiteral("%1, its twin %2").arg(ratioText(*outcome.ratio), ratioText(*twin->ratio));
        } else {
            result.got = QStringLiteral("pass, not compared");
            result.why = twin ? twin->reason : QStringLiteral("its twin was not measured");
        }
    }
    for (const QString &expected : row.expected.split(QLatin1Char('|'))) {
        const bool isAnyRule = !expected.contains(QLatin1Char(':'));
        result.isOk = result.isOk || result.got == expected ||
                      (isAnyRule && result.got.section(QLatin1Char(':'), 0, 0) == expected);
    }
    return result;
}

bool isWorthAnotherTry(const SuiteResult &result) {
    return result.wasRun && !result.isOk &&
           (result.got.section(QLatin1Char(':'), 0, 0) == QLatin1String("inconclusive") ||
            result.got.startsWith(QLatin1String("pass, ")));
}

SuiteResult settled(SuiteResult result, const std::optional<SuiteOutcome> &twin) {
    const bool isScattered = result.got == verdictName(Verdict::Inconclusive);
    if (!result.row.mayBeHarmless() || !isScattered || !result.ratio || !twin || !twin->ratio ||
        result.ratio->low > twin->ratio->low || result.ratio->high > twin->ratio->high)
        return result;
    result.got = QStringLiteral("inconclusive, no faster than its twin");
    result.why += QStringLiteral(" %1, its twin %2").arg(ratioText(*result.ratio), ratioText(*twin->ratio));
    result.isOk = true;
    return result;
}

OrderedJson suiteDocument(const std::vector<SuiteResult> &results, const OrderedJson &device,
                          const OrderedJson &environment, double seconds) {
    OrderedJson rows = OrderedJson::array();
    const auto textOrNull = [](const QString &text) {
        return text.isEmpty() ? OrderedJson() : OrderedJson(toJson(text));
    };
    int ok = 0;
    int notRun = 0;
    for (const SuiteResult &result : results) {
        ok += result.isOk ? 1 : 0;
        notRun += result.wasRun ? 0 : 1;
        OrderedJson row{{"name", toJson(result.row.name)},
                        {"kind", result.row.isAttack ? "attack" : "honest"},
                        {"expected", toJson(result.row.expected)},
                        {"got", toJson(result.got)},
                        {"ok", result.isOk},
                        {"why", textOrNull(result.why)},
                        {"task", toJson(result.row.task)},
                        {"tier", result.row.isTimed ? "profile" : "verify"},
                        {"seconds", result.seconds},
                        {"ratio", nullptr}};
        if (result.ratio)
            row["ratio"] = {{"value", result.ratio->value},
                            {"low", result.ratio->low},
                            {"high", result.ratio->high},
                            {"arm", toJson(result.ratio->arm)}};
        rows.push_back(std::move(row));
    }
    return {{"schema", "warpwright.selftest/1"},
            {"device", device},
            {"environment", environment},
            {"seconds", seconds},
            {"ok", ok},
            {"notOk", static_cast<int>(results.size()) - ok - notRun},
            {"notRun", notRun},
            {"rows", std::move(rows)}};
}

int exitCodeFor(const std::vector<SuiteResult> &results) {
    return std::all_of(results.begin(), results.end(),
                       [](const SuiteResult &result) { return result.isOk || !result.wasRun; })
               ? 0
               : 1;
}

} // namespace warpwright
