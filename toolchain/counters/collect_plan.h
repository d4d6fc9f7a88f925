// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"
#include "toolchain/counters/nsight_compute.h"
#include "toolchain/process/child_process.h"

namespace warpwright {

/// What a person asks of a collection.
struct CollectRequest {
    QString set = QStringLiteral("basic"); ///< "basic" or "full"; not used where sections are named
    QStringList sections;                  ///< of Nsight Compute, by identifier: "SpeedOfLight"
    QString kernel;                        ///< part of a kernel's name; empty: all of the call
    int mostLaunches = 24;       ///< of each arm, from the call's first on; each is run some 36 times. 0: all
    bool wantsBaselines = false; ///< torch's eager and compiled kernels as well

    bool operator==(const CollectRequest &) const = default;
};

/// "basic", "full"
[[nodiscard]] QStringList counterSets();

/// What one workspace's arms are run with under Nsight Compute.
struct CollectPlan {
    CollectRequest asked;
    NsightCompute ncu;
    QString sandboxProgram;   ///< empty: none; then the candidate is not run
    QStringList sandboxWords; ///< of the judge (`export`): what a candidate's process must reach
    QString interpreter;
    QString script;    ///< one_call.py
    QString inputs;    ///< folder that the judge exported to
    QString runFolder; ///< of the compiled candidate
    QString modelFile; ///< the reference
    QString toolkit;   ///< folder of CUDA's own files
    QString scratch;   ///< a folder for this alone; the profiler and the candidate may write to it
    QString device;    ///< for CUDA_VISIBLE_DEVICES
    QProcessEnvironment environment; ///< of the trusted arms

    bool operator==(const CollectPlan &) const = default;
};

/// "candidate", and "eager" and "compile" where they were asked for.
[[nodiscard]] QStringList armsOf(const CollectPlan &plan);

/// The report that the profiler writes of this arm.
[[nodiscard]] QString reportPathOf(const CollectPlan &plan, const QString &arm);

/// The profiler around one call of one arm. The candidate runs under the sandbox's profile `tools`; the
/// reference runs as the judge's own workers run it. Clocks are left as they are, caches are flushed before
/// each pass, as before each call that a check times.
[[nodiscard]] ProcessRequest collectRequest(const CollectPlan &plan, const QString &arm, int limitMs);

/// What one line of the profiler's output says of its progress: kernel, launch from 0, passes once done.
struct CollectStep {
    QString kernel;
    int launch = 0;
    int passes = 0; ///< 0: still at work

    bool operator==(const CollectStep &) const = default;
};
[[nodiscard]] std::optional<CollectStep> collectStepIn(const QByteArray &line);

/// Why there is no report: the driver's and the profiler's own words with what mends them, as a sentence and
/// an advice.
struct CollectRefusal {
    QString why;
    QString advice;

    bool operator==(const CollectRefusal &) const = default;
};
[[nodiscard]] CollectRefusal whyNotCollected(const CollectPlan &plan, const ProcessOutcome &outcome);

} // namespace warpwright
