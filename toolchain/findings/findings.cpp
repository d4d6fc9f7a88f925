// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/findings/findings.h"

#include "toolchain/findings/detectors.h"
#include "toolchain/findings/speed_of_light.h"

#include <algorithm>
#include <map>
#include <set>

namespace warpwright {
namespace {

/// Of the call: what is less is not worth a person's time, and within what a measurement says.
constexpr double leastGain = 0.01;

/// Of memory's peak, under the profiler, whose caches are empty at first: a kernel that is there is near what
/// it can reach, and only fewer bytes make it faster.
constexpr double busyMemory = 0.65;
constexpr const char *ofBytes[] = {"spill", "local-array", "uncoalesced", "redundant-passes", "tf32"};

/// Where the first of these is told of a kernel, the second would tell of the same cause.
struct Cause {
    const char *first;
    const char *second;
};
constexpr Cause causes[] = {
    // Side by side in one thread is a stride between threads: one wider load mends both.
    {"narrow-access", "uncoalesced"},
    {"narrow-access", "few-bytes-in-flight"},
    {"uncoalesced", "few-bytes-in-flight"},
    // What waits for local memory waits for a queue that spills fill.
    {"spill", "few-bytes-in-flight"},
    {"spill", "register-limited"},
    {"local-array", "few-bytes-in-flight"},
    // Few warps are one way to have few bytes in flight: they stand in its evidence.
    {"few-bytes-in-flight", "low-occupancy"},
    {"few-bytes-in-flight", "register-limited"},
    {"few-bytes-in-flight", "small-grid"},
    {"contended-atomics", "few-bytes-in-flight"},
    {"contended-atomics", "divergent-branch"},
    // Threads that do not take part ask for nothing.
    {"divergent-branch", "few-bytes-in-flight"},
    {"integer-division", "wide-index"},
    // A kernel on tensor cores has other loads, another occupancy and other barriers.
    {"no-matrix-unit", "low-occupancy"},
    {"no-matrix-unit", "low-occupancy-harmless"},
    {"no-matrix-unit", "register-limited"},
    {"no-matrix-unit", "barrier-wait"},
    {"no-matrix-unit", "few-bytes-in-flight"},
    {"host-sync", "launch-bound"},
    // Warps without work stand at the barrier, and ask for nothing.
    {"idle-warps", "barrier-wait"},
    {"idle-warps", "few-bytes-in-flight"},
    {"idle-warps", "divergent-branch"},
};

/// A small gain does not stand for a large one: only a cause that costs a good part of it takes it over.
constexpr double partOfSecond = 0.5;

bool isSameCause(const Finding &first, const Finding &second) {
    if (first.kernel != second.kernel ||
        first.gainMicroseconds.value_or(0) < partOfSecond * second.gainMicroseconds.value_or(0))
        return false;
    return std::any_of(std::begin(causes), std::end(causes), [&first, &second](const Cause &cause) {
        return first.id == QLatin1String(cause.first) && second.id == QLatin1String(cause.second);
    });
}

bool isSmall(const Finding &finding) {
    return !finding.isNote && finding.gainShare && *finding.gainShare < leastGain;
}

/// Whether memory alone sets this kernel's pace, and the finding says nothing of its bytes.
bool isHiddenByMemory(const Finding &finding, const FindingContext &context) {
    if (finding.kernel.isEmpty() || finding.isNote || !finding.isMeasured ||
        std::any_of(std::begin(ofBytes), std::end(ofBytes),
                    [&finding](const char *id) { return finding.id == QLatin1String(id); }))
        return false;
    double time = 0, busy = 0;
    for (const KernelEvidence &kernel : context.kernels)
        if (kernel.name == finding.kernel) {
            time += kernel.microseconds.value_or(0);
            busy += kernel.microseconds.value_or(0) *
                    kernel.share("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed").value_or(0);
        }
    return time > 0 && busy / time >= busyMemory;
}

/// One kernel in several shapes tells the same of each: once, with the place and the numbers of the larger.
std::vector<Finding> joinedShapes(const std::vector<Finding> &all) {
    std::vector<Finding> joined;
    for (const Finding &finding : all) {
        const auto known = std::find_if(joined.begin(), joined.end(), [&finding](const Finding &one) {
            return one.id == finding.id && one.kernel == finding.kernel;
        });
        if (known == joined.end()) {
            joined.push_back(finding);
            continue;
        }
        Finding larger = finding.gainMicroseconds > known->gainMicroseconds ? finding : *known;
        if (finding.gainMicroseconds && known->gainMicroseconds) {
            larger.gainMicroseconds = *finding.gainMicroseconds + *known->gainMicroseconds;
            if (finding.gainShare && known->gainShare)
                larger.gainShare = std::min(1.0, *finding.gainShare + *known->gainShare);
        }
        *known = larger;
    }
    return joined;
}

/// Measured gains first, the largest first; then what has no number; notes last.
bool comesBefore(const Finding &one, const Finding &other) {
    if (one.isNote != other.isNote)
        return other.isNote;
    if (one.gainMicroseconds.has_value() != other.gainMicroseconds.has_value())
        return one.gainMicroseconds.has_value();
    if (one.gainMicroseconds != other.gainMicroseconds)
        return *one.gainMicroseconds > *other.gainMicroseconds;
    return one.isMeasured && !other.isMeasured;
}

/// Gains overlap: who mends the largest first has less time left for the next to be a share of.
void countOneAfterTheOther(std::vector<Finding> &sorted, const FindingContext &context) {
    std::map<QString, double> left; // of each kernel's time, 0 … 1
    for (Finding &finding : sorted) {
        double time = finding.kernel.isEmpty() ? context.callMicroseconds.value_or(0) : 0;
        for (const KernelEvidence &kernel : context.kernels)
            if (!finding.kernel.isEmpty() && kernel.name == finding.kernel)
                time += kernel.microseconds.value_or(0);
        if (!finding.gainMicroseconds || *finding.gainMicroseconds <= 0 || time <= 0)
            continue;
        double &rest = left.try_emplace(finding.kernel, 1.0).first->second;
        const double share = std::min(1.0, *finding.gainMicroseconds / time);
        finding.gainMicroseconds = share * rest * time;
        if (rest < 0.995 && !finding.gainBasis.isEmpty())
            finding.gainBasis +=
                QStringLiteral(
                    "; applied to the %1 of the time that remain once the findings before it are fixed")
                    .arg(percentText(rest, 0));
        if (context.callMicroseconds && *context.callMicroseconds > 0)
            finding.gainShare = std::min(1.0, *finding.gainMicroseconds / *context.callMicroseconds);
        rest *= 1 - share;
    }
}

/// The speed of light counts products of FP32 tensors at the rate of FP32, or of TF32 where that is allowed.
/// In 16 bits, which a task may allow as well, they take less, but never less than its bytes.
bool mayPassLight(const Finding &finding, const FindingContext &context) {
    return finding.id == QLatin1String("no-matrix-unit") &&
           context.figures->task.limit != QLatin1String("memory");
}

/// Nobody comes below the speed of light: what is promised, in this order, shares what lies above it.
void stayAboveLight(std::vector<Finding> &sorted, const FindingContext &context) {
    const std::optional<double> light = speedOfLightOf(context);
    if (!light)
        return;
    const double call = *context.callMicroseconds;
    const double above = call - *light;
    double left = above;
    std::vector<Finding> kept;
    for (Finding &finding : sorted) {
        const double gain = finding.gainMicroseconds.value_or(0);
        if (gain > 0 && !mayPassLight(finding, context)) {
            if (gain > left) {
                finding.gainMicroseconds = left;
                finding.gainShare = left / call;
                finding.gainBasis +=
                    (left < above ? QStringLiteral("; capped at the %1 that the findings before it leave "
                                                   "above the speed of light")
                                  : QStringLiteral("; capped at the %1 above the speed of light"))
                        .arg(context.figures->times.text(left));
                if (isSmall(finding))
                    continue;
            }
            left -= *finding.gainMicroseconds;
        }
        kept.push_back(std::move(finding));
    }
    sorted = std::move(kept);
}

QStringList lookedAt(const FindingContext &context) {
    QStringList looked;
    const auto any = [&context](const auto &has) {
        return std::any_of(context.kernels.begin(), context.kernels.end(), has);
    };
    if (!context.input.texts.empty())
        looked << QStringLiteral("source");
    if (any([](const KernelEvidence &kernel) { return kernel.resources != nullptr; }))
        looked << QStringLiteral("ptxas");
    if (any([](const KernelEvidence &kernel) { return !kernel.code.empty(); }))
        looked << QStringLiteral("SASS");
    if (context.hasCounters)
        looked << QStringLiteral("counters");
    if (context.figures && context.figures->candidate() != nullptr)
        looked << QStringLiteral("clock");
    if (context.timeline)
        looked << QStringLiteral("timeline");
    return looked;
}

} // namespace

Findings findingsOf(const FindingInput &input) {
    const FindingContext context = findingContextOf(input);
    std::vector<Finding> all;
    for (const auto &detect :
         {localMemoryFindings, narrowAccessFindings, uncoalescedFindings, bankConflictFindings,
          occupancyFindings, bytesInFlightFindings, waveFindings, launchFindings, redundantPassFindings,
          fp64Findings, indexFindings, matrixFindings, scalarProductFindings, atomicFindings, barrierFindings,
          hostSyncFindings, residentFindings, nearRoofFindings, divergenceFindings})
        for (Finding &finding : detect(context))
            all.push_back(std::move(finding));
    all = joinedShapes(all);
    std::vector<Finding> kept;
    for (const Finding &finding : all) {
        const bool isTold = std::any_of(
            all.begin(), all.end(), [&finding](const Finding &other) { return isSameCause(other, finding); });
        if (!isSmall(finding) && !isTold && !isHiddenByMemory(finding, context))
            kept.push_back(finding);
    }
    std::stable_sort(kept.begin(), kept.end(), comesBefore);
    countOneAfterTheOther(kept, context);
    std::stable_sort(kept.begin(), kept.end(), comesBefore);
    stayAboveLight(kept, context);
    std::stable_sort(kept.begin(), kept.end(), comesBefore);
    Findings findings;
    findings.list = std::move(kept);
    findings.missing = context.missing;
    findings.callMicroseconds = context.callMicroseconds;
    findings.callSource = context.callSource;
    findings.looked = lookedAt(context);
    return findings;
}

Findings findingsNamed(const Findings &findings, const QString &kernel) {
    Findings named = findings;
    named.list.erase(std::remove_if(named.list.begin(), named.list.end(),
                                    [&kernel](const Finding &finding) {
                                        return !finding.kernel.isEmpty() && !finding.kernel.contains(kernel);
                                    }),
                     named.list.end());
    return named;
}

} // namespace warpwright
