// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/verdict.h"

#include <array>

namespace warpwright {
namespace {

struct VerdictRow {
    Verdict verdict;
    const char *name;
    int exitCode;
    const char *meaning;
};

constexpr std::array<VerdictRow, 13> verdictRows{{
    {Verdict::Pass, "pass", 0, "correct, and measured"},
    {Verdict::Wrong, "wrong", 1, "the candidate's result is not the reference's"},
    {Verdict::Rejected, "rejected", 1, "the candidate broke a rule of the task"},
    {Verdict::RunFailed, "run-failed", 1, "the candidate crashed, hung or returned something unusable"},
    {Verdict::Impossible, "impossible", 1, "the candidate did less work than the task needs"},
    {Verdict::BuildFailed, "build-failed", 3, "the candidate does not compile"},
    {Verdict::TaskFailed, "task-failed", 2, "the reference model.py is unusable"},
    {Verdict::Usage, "usage", 2, "the command or the folder is not usable"},
    {Verdict::Environment, "environment", 2, "this machine lacks something, or a process was lost"},
    {Verdict::NotRun, "not-run", 4, "not everything was run, so nothing is decided"},
    {Verdict::Inconclusive, "inconclusive", 4, "too noisy to decide"},
    {Verdict::Unverifiable, "unverifiable", 4, "the task cannot tell a right result from a wrong one"},
    {Verdict::Cancelled, "cancelled", 130, "cancelled by you"},
}};

struct StatusRow {
    StageStatus status;
    const char *name;
};

constexpr std::array<StatusRow, 5> statusRows{{
    {StageStatus::Passed, "passed"},
    {StageStatus::Failed, "failed"},
    {StageStatus::Undecided, "undecided"},
    {StageStatus::NotRun, "not-run"},
    {StageStatus::Cancelled, "cancelled"},
}};

const VerdictRow &rowOf(Verdict verdict) {
    for (const VerdictRow &row : verdictRows) {
        if (row.verdict == verdict)
            return row;
    }
    Q_ASSERT_X(false, "verdict", "a verdict without a row in the table");
    return verdictRows.back();
}

bool isClearlyFaster(double microseconds, double baselineMicroseconds) {
    return (baselineMicroseconds - microseconds) / baselineMicroseconds > 0.05;
}

} // namespace

QString verdictName(Verdict verdict) {
    return QString::fromLatin1(rowOf(verdict).name);
}

std::optional<Verdict> verdictFromName(const QString &name) {
    for (const VerdictRow &row : verdictRows) {
        if (name == QLatin1String(row.name))
            return row.verdict;
    }
    return std::nullopt;
}

QString statusName(StageStatus status) {
    for (const StatusRow &row : statusRows) {
        if (row.status == status)
            return QString::fromLatin1(row.name);
    }
    Q_ASSERT_X(false, "verdict", "a status without a row in the table");
    return {};
}

std::optional<StageStatus> statusFromName(const QString &name) {
    for (const StatusRow &row : statusRows) {
        if (name == QLatin1String(row.name))
            return row.status;
    }
    return std::nullopt;
}

QString verdictMeaning(Verdict verdict) {
    return QString::fromLatin1(rowOf(verdict).meaning);
}

int exitCodeFor(Verdict verdict) {
    return rowOf(verdict).exitCode;
}

std::optional<int> rewardFor(Verdict verdict, const RewardTimes &times) {
    switch (verdict) {
    case Verdict::Wrong:
    case Verdict::Rejected:
    case Verdict::RunFailed:
    case Verdict::Impossible:
    case Verdict::BuildFailed:
        return -1;
    case Verdict::Pass:
        break;
    case Verdict::TaskFailed:
    case Verdict::Usage:
    case Verdict::Environment:
    case Verdict::NotRun:
    case Verdict::Inconclusive:
    case Verdict::Unverifiable:
    case Verdict::Cancelled:
        return std::nullopt;
    }
    if (!times.candidate || !times.eager || !isClearlyFaster(*times.candidate, *times.eager))
        return 1;
    if (!times.compile || !isClearlyFaster(*times.candidate, *times.compile))
        return 2;
    return 3;
}

} // namespace warpwright
