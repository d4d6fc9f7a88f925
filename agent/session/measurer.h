// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/stages.h"
#include "toolchain/counters/collect_plan.h"
#include "toolchain/evaluation/evaluation.h"
#include "toolchain/progress/stage_progress.h"
#include "toolchain/timeline/timeline.h"
#include "toolchain/workspace/candidate_texts.h"

#include <QObject>

#include <optional>

namespace warpwright {

/// What is to be measured, and for whom.
struct Measurement {
    CandidateTexts texts;     ///< the whole workspace's, as readCandidateTexts() gives it
    bool isForPerson = false; ///< goes before all that an agent asked for
    CandidateTexts before;    ///< what they are a change of, timed beside them; empty: nothing
    /// Blocks are timed until the text before and this one are told apart closely, for so many seconds at
    /// most; 0: as a quick check does.
    double longerSeconds = 0;
    LastStage lastStage = LastStage::Profile; ///< what comes after it is not run
    Tier tier = Tier::Quick;                  ///< certify: all baselines, and the sanitizers on a GPU
    /// In place of verify and profile: the hardware's counters of one call, or its timeline. They are kept
    /// with the workspace, under the hash of the text.
    std::optional<CollectRequest> collect = {};
    bool traces = false;

    [[nodiscard]] bool isForTools() const { return collect.has_value() || traces; }

    bool operator==(const Measurement &) const = default;
};

/// One queue of measurements: one at a time, what a person asked for first, else in the order of asking.
///
/// Each measure() ends in exactly one measured(), never before it has returned; what was cancelled ends with
/// the verdict `cancelled`, what could not even be begun with `environment`.
class Measurer : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Gives its number, from 1.
    virtual int measure(const Measurement &measurement) = 0;
    virtual void cancel(int number) = 0;
    [[nodiscard]] virtual bool isIdle() const = 0;

signals:
    void progress(int number, const warpwright::StageProgress &progress);
    void stageEnded(int number, const QString &stage, warpwright::StageStatus status, double seconds);
    /// `log`: what the compilers said; mostly empty.
    void measured(int number, const warpwright::Evaluation &evaluation, const QString &log);
    /// Of a measurement that collects or traces, before measured(), whose evaluation says that nothing was
    /// checked. Where neither came, its message says why.
    void collected(int number, const warpwright::SharedCounters &counters);
    void traced(int number, const warpwright::Timeline &timeline);
};

} // namespace warpwright
