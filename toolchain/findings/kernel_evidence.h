// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/measured_figures.h"
#include "toolchain/findings/finding.h"
#include "toolchain/findings/finding_input.h"
#include "toolchain/findings/sass_reading.h"
#include "toolchain/timeline/timeline_analysis.h"

#include <functional>
#include <initializer_list>
#include <optional>
#include <vector>

namespace warpwright {

/// What was sampled of warps that wait for something that an earlier instruction asked for.
struct SampledWait {
    std::size_t at = 0;  ///< the instruction that waits
    int producer = -1;   ///< the one it waits for; -1: not found
    bool isLong = false; ///< in the queue of L1 (long scoreboard), else of the shared units (short)
    double samples = 0;
};

/// One kernel of the text, with all that is known of it: of several launches of one shape the longest.
/// It points into the input it was made of.
struct KernelEvidence {
    QString name; ///< short
    const InspectedKernel *inspected = nullptr;
    const KernelResources *resources = nullptr; ///< ptxas's, of the inspection or of the check
    const KernelCounters *counters = nullptr;
    int launches = 0;                   ///< of this shape in one call; 0: not counted
    std::optional<double> microseconds; ///< of all of them, within the call's time
    std::vector<ReadInstruction> code;  ///< counted where it can be; empty: no SASS
    std::vector<SampledWait> waits;
    double samples = 0; ///< of all instructions

    /// Fewer say too little: a share of 25 % of a hundred is known to ± 9 %.
    [[nodiscard]] bool hasSamples() const { return samples >= 100; }
    [[nodiscard]] bool isCounted() const { return counters != nullptr; }
    [[nodiscard]] std::optional<double> number(const char *metric) const;
    /// The same as a share of 1.
    [[nodiscard]] std::optional<double> share(const char *percentMetric) const;

    /// Of 1: warps that were sampled stalling for one of these reasons ("barrier", "lg_throttle"); by the
    /// instructions, else by the averages of the whole kernel. Nothing where neither was collected.
    [[nodiscard]] std::optional<double> stalled(std::initializer_list<const char *> reasons) const;
    /// Of 1: samples that wait for what such an instruction asked for, and those that queue at such a one.
    [[nodiscard]] double waitingFor(const std::function<bool(const ReadInstruction &)> &isMeant) const;
    /// The instruction of these that costs most samples, by its waits; -1: none was sampled.
    [[nodiscard]] int costliest(const std::function<bool(const ReadInstruction &)> &isMeant) const;
    [[nodiscard]] double executed(const std::function<bool(const ReadInstruction &)> &isMeant) const;
    /// Of the time of all SMs: the share in which they were active.
    [[nodiscard]] std::optional<double> activeShare() const;
    [[nodiscard]] double blocks() const;
};

/// All that the detectors read.
struct FindingContext {
    const FindingInput &input;
    std::vector<KernelEvidence> kernels;      ///< the text's own; the longest first
    std::optional<MeasuredFigures> figures;   ///< of the check, where it ran where the kernels do
    std::optional<TimelineAnalysis> timeline; ///< of the candidate's call, where it ran there, too
    std::optional<double> callMicroseconds;
    QString callSource;
    bool hasClock = false;                    ///< the call's time is the check's
    std::optional<double> kernelMicroseconds; ///< of all launches of a call, as they were profiled
    int launches = 0;                         ///< of a call, of whoever's kernels; 0: not counted
    bool hasMoreLaunches = false;             ///< the call launches more than were counted
    bool isOfOneCall = true;                  ///< false: a report from elsewhere, of any number of calls
    bool hasCounters = false;                 ///< of this text
    QStringList missing;

    /// "9.0" of a device, as 90; of the listing's architecture where no device is known; 0: neither.
    [[nodiscard]] int computeCapability() const;
    /// The launches of the candidate's call that were counted, of whoever's kernels.
    [[nodiscard]] std::vector<const KernelCounters *> counted() const;
    /// A file as the workspace names it; empty where it is none of the workspace's.
    [[nodiscard]] QString workspaceFile(const QString &file) const;
};

[[nodiscard]] FindingContext findingContextOf(const FindingInput &input);

/// The instruction that the one at `at` waits for, in the queue of L1 (`isLong`) or of the shared units: the
/// nearest before it that writes one of its registers; in a loop that may be one behind it. -1: none is
/// found.
[[nodiscard]] int producerOf(const std::vector<ReadInstruction> &code, std::size_t at, bool isLong);

/// A finding of this kernel, with the place of the instruction (-1: none known).
[[nodiscard]] Finding findingAt(const FindingContext &context, const KernelEvidence &kernel, const char *id,
                                const QString &title, int instruction);
/// Says what it may gain: a share of the kernel's time, 0 … 1. What has no time has no gain either.
void claim(Finding &finding, const FindingContext &context, const KernelEvidence &kernel,
           double shareOfKernel, const QString &basis);
/// "41 %", "3.2×" for messages.
[[nodiscard]] QString shareText(double share);
[[nodiscard]] QString timesText(double factor);

} // namespace warpwright
