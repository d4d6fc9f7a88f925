// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/evaluation.h"
#include "toolchain/evaluation/judge_sections.h"

#include <optional>

namespace warpwright {

/// What a row says of an evaluation whose document is not opened: a copy of a few of its fields, never
/// computed anew.
struct EvaluationSummary {
    QString id;
    QDateTime startedAt;
    Verdict verdict = Verdict::NotRun;
    std::optional<int> reward;
    Tier tier = Tier::Quick;
    LastStage lastStage = LastStage::Profile;
    QString device;                          ///< its name; empty: none was chosen
    QString software;                        ///< versions that times hang on; empty: of an old document
    std::optional<SpeedUp> eager;            ///< `profile.speedup.eager`
    std::optional<SpeedUp> sameClass;        ///< the headline: `speedup.sameClass` of headlineTimes()
    std::optional<ArmTiming> candidate;      ///< median and interval, microseconds
    std::optional<double> eagerMicroseconds; ///< its median in this very check; empty: of another
    QString textHash;                        ///< of what was measured; empty: of an old document
    std::optional<BesideTiming> beside;      ///< the text before, timed in the same run
    QStringList doubts;
    QString ranHash;       ///< ranHashOf() its text; empty: nothing ran, or of an old document
    ExercisedFiles notRun; ///< what did not
    std::optional<Unexercised> unexercised;

    bool operator==(const EvaluationSummary &) const = default;
};

/// How fast a passed candidate was. Two of different checks are compared by the speed-up over eager, which
/// each check measured side by side: the machine may have been slower at one of them. Where a speed-up is
/// missing, by time.
struct Pace {
    double medianMicroseconds = 0;
    std::optional<double> overEager;
};
[[nodiscard]] bool isFaster(const Pace &one, const Pace &other);
/// A text whose verdict the clock left open is none to call the best; but where its whole interval lies below
/// the other's, that one is not the best either.
[[nodiscard]] bool isOutdone(const EvaluationSummary &best, const EvaluationSummary &undecided);
/// Empty: it has not passed or was not measured, or its times are a repeat of its parent's.
[[nodiscard]] std::optional<Pace> paceOf(const EvaluationSummary &summary);

/// Why the times of two checks say nothing of each other: other devices, other torch, other driver. Empty:
/// they may be compared.
[[nodiscard]] QString whyNotComparable(const EvaluationSummary &one, const EvaluationSummary &other);

/// Whether `newer` tells less of the same text than `older`, and so does not take its place: it was not asked
/// to come as far and met no fault on its way, or nothing of the text was tried (a machine that lacks
/// something).
[[nodiscard]] bool tellsLess(const EvaluationSummary &newer, const EvaluationSummary &older);

[[nodiscard]] EvaluationSummary summaryOf(const Evaluation &evaluation);

/// For the history's own files: every field by its name, absent where empty.
[[nodiscard]] Json summaryToJson(const EvaluationSummary &summary);
/// Empty where id or verdict is missing; other fields may be.
[[nodiscard]] std::optional<EvaluationSummary> summaryFromJson(const Json &json);

} // namespace warpwright
