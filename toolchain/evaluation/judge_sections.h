// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"
#include "toolchain/base/verdict.h"

#include <QString>
#include <QStringList>

#include <optional>

/// Brings what the judge says into the document's parts: every named field present, in a stable order.
namespace warpwright {

/// Each takes a reply of the judge (or an empty object: then the part says `not-run`, with nulls and empty
/// lists). Fields that we do not know are kept, after the known ones.
OrderedJson taskSection(const QString &name, const Json &openReply);
OrderedJson verifySection(const Json &verifyReply);
OrderedJson profileSection(const Json &profileReply);
/// Adds what this reply says to what earlier ones said: the worse status, all findings, the sandbox that was
/// named.
[[nodiscard]] OrderedJson integritySection(const Json &reply, const OrderedJson &before = nullptr);

/// A part that was begun and not finished.
void setStatus(OrderedJson &section, StageStatus status);
StageStatus statusOf(const OrderedJson &section);

/// The doubts in a reply: each a sentence.
QStringList doubtsIn(const Json &reply);

/// One row of `profile.arms`, in microseconds; empty when that arm was not measured.
struct ArmTiming {
    double medianMicroseconds = 0;
    double lowMicroseconds = 0;
    double highMicroseconds = 0;
    int samples = 0;
    bool isLive = false; ///< false: stored earlier, times the anchor's drift

    bool operator==(const ArmTiming &) const = default;
};
std::optional<ArmTiming> armIn(const OrderedJson &profile, const char *arm);

/// One row of `profile.speedup`: value with its interval, and the arm it is against.
struct SpeedUp {
    double value = 0;
    double low = 0;
    double high = 0;
    QString arm;

    bool operator==(const SpeedUp &) const = default;
};
std::optional<SpeedUp> speedUpIn(const OrderedJson &profile, const char *name);

/// `profile.before`: the text that the candidate is a change of, timed beside it in the same run.
struct BesideTiming {
    QString textHash; ///< textHashOf() that text
    ArmTiming before; ///< its own times in this run
    double value = 1; ///< the candidate's time over its, with a 95 % interval
    double low = 1;
    double high = 1;

    bool operator==(const BesideTiming &) const = default;
};
/// Empty: there was none, or it did not run.
std::optional<BesideTiming> besideIn(const OrderedJson &profile);

/// Call by call no speed-up was certain, as one CUDA graph of many calls it was.
bool isCertifiedAsGraph(const OrderedJson &profile);
/// Where arms and speed-ups that a headline may show stand: `profile.graph` where only that is certified,
/// else `profile` itself. A reference into `profile`.
const OrderedJson &headlineTimes(const OrderedJson &profile);

/// Why the times of a profile that is said to have passed decide nothing; empty when they are whole. A pass
/// is never concluded from what is missing: each time and each end of an interval has to be a positive
/// number.
[[nodiscard]] QString whyTimesAreNotWhole(const OrderedJson &profile);

RewardTimes rewardTimesIn(const OrderedJson &profile);

/// Why the result of this `task` is the same whatever comes in; empty where it is not, or nobody knows. A
/// pass has no reward then.
QString degeneracyIn(const OrderedJson &task);

} // namespace warpwright
