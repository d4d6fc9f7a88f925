// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

/// The closed world of outcomes: what an evaluation may say, its exit code and its reward.
namespace warpwright {

/// Nothing but `Pass` means that the candidate may be used. Each other word says who has to act.
enum class Verdict {
    Pass,
    Wrong,        ///< ran, and its result is not the reference's
    Rejected,     ///< broke a rule of the task, for example wrote into its input
    RunFailed,    ///< crashed, hung, or returned something that is not the asked-for tensor
    Impossible,   ///< faster than the device can be, or right only when inputs repeat
    BuildFailed,  ///< did not compile
    TaskFailed,   ///< the reference itself is unusable
    Usage,        ///< the command or the folder is not one we can work with
    Environment,  ///< this machine lacks something, or something was taken from us
    NotRun,       ///< not asked for, or there is no device for it
    Inconclusive, ///< measured, but too noisy to say
    Unverifiable, ///< any output would have been accepted, so nothing is proved
    Cancelled,
};

/// Status of one stage: compile, verify, profile, integrity. Undecided: of profile, where the times scatter
/// too much to say anything; nothing failed. Documents of before say `failed` there.
enum class StageStatus { Passed, Failed, Undecided, NotRun, Cancelled };

QString verdictName(Verdict verdict);
std::optional<Verdict> verdictFromName(const QString &name);

QString statusName(StageStatus status);
std::optional<StageStatus> statusFromName(const QString &name);

/// One sentence for `--help` and for people: "the candidate's result is wrong".
QString verdictMeaning(Verdict verdict);

/// 0 pass, 1 the candidate is bad, 2 we could not judge, 3 does not build, 4 nothing decided, 130 cancelled.
int exitCodeFor(Verdict verdict);

/// Medians in microseconds of the arms that were measured; an arm that was not is empty.
struct RewardTimes {
    std::optional<double> candidate;
    std::optional<double> eager;
    std::optional<double> compile;

    bool operator==(const RewardTimes &) const = default;
};

/// Equation (1) of arXiv 2602.24286: -1 bad, 1 correct, 2 also more than 5 % faster than eager, 3 also than
/// compile. The 5 % is strict: (t0 - t) / t0 > 0.05. Empty where no reward can be given (nothing was
/// decided). A missing arm can only lower the reward: without `compile` it is at most 2, without `eager` at
/// most 1.
std::optional<int> rewardFor(Verdict verdict, const RewardTimes &times);

} // namespace warpwright
