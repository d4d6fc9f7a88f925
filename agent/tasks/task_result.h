// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/session/auto_policy.h"
#include "toolchain/evaluation/evaluation.h"
#include "toolchain/evaluation/judge_sections.h"

#include <optional>
#include <vector>

namespace warpwright {

/// What became of a task. Only Pass counts as one.
enum class TaskVerdict {
    Pass,         ///< a text stands that is verified and measured
    Inconclusive, ///< verified, and the clock could not decide
    Failed,       ///< text was written, and none of it passed
    Cannot,       ///< the agent has no kernel for it, and said why
    NotRun,       ///< this machine could not try it
};
inline constexpr TaskVerdict taskVerdicts[] = {TaskVerdict::Pass, TaskVerdict::Inconclusive,
                                               TaskVerdict::Failed, TaskVerdict::Cannot, TaskVerdict::NotRun};
[[nodiscard]] QString taskVerdictName(TaskVerdict verdict); ///< "pass", "not-run"

/// One proposal of a run, in the order of its trying.
struct TaskMove {
    QString move; ///< "vector-math"
    QString title;
    QString outcome;                 ///< "accepted", "branch", "discarded"
    std::optional<double> timeRatio; ///< to the text before it

    bool operator==(const TaskMove &) const = default;
};

/// The terms of a row: how it came to be. Rows that differ in them are not of one table.
struct TaskTerms {
    QString agent;      ///< "playbook", "model:NAME"
    QString device;     ///< "cpu", "cuda": what was asked for, or found
    QString deviceName; ///< empty: no check came so far
    QString tier;       ///< "quick"
    bool isSmall = false;
    QString program; ///< our version

    /// Empty: both rows may stand in one table. The version may differ, and a device's name may be missing.
    [[nodiscard]] QString whyNotWith(const TaskTerms &other) const;
    bool operator==(const TaskTerms &) const = default;
};

/// One row of `wright bench tasks`.
struct TaskResult {
    QString name;
    QString kind;
    QString split;
    TaskVerdict verdict = TaskVerdict::NotRun;
    QString why;        ///< it is no pass; how the run ended where it is one
    double seconds = 0; ///< wall clock, from the workspace to the end of the run
    std::optional<SpeedUp> eager, compile, sameClass; ///< of the text that stands
    std::optional<double> shareOfLight;               ///< of 1
    std::optional<double> candidateMicroseconds;
    std::vector<TaskMove> moves;
    TaskTerms settings;
    std::optional<RunMeter> used; ///< tokens and cost; empty: it called no model

    [[nodiscard]] bool isPass() const { return verdict == TaskVerdict::Pass; }
    bool operator==(const TaskResult &) const = default;
};

/// A row's numbers from the evaluation of the text that stands: speed-ups with their intervals, share of the
/// speed of light. What the document does not say stays empty.
void takeNumbers(TaskResult &result, const Evaluation &evaluation);

[[nodiscard]] OrderedJson taskResultToJson(const TaskResult &result);
/// An error where it is no row of ours.
[[nodiscard]] Result<TaskResult> taskResultFromJson(const OrderedJson &json);

} // namespace warpwright
