// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/evidence.h"

#include "toolchain/inspect/occupancy.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr int usualThreads = 256;

std::optional<double> occupancyOf(const KernelResources &kernel) {
    const std::optional<MultiprocessorLimits> limits = multiprocessorLimits(kernel.arch);
    if (!limits)
        return std::nullopt;
    BlockNeeds needs;
    needs.threads = kernel.maxThreads > 0 ? std::min(usualThreads, kernel.maxThreads) : usualThreads;
    needs.registers = kernel.registers;
    needs.sharedBytes = kernel.staticSharedBytes;
    needs.barriers = kernel.barriers;
    return warpwright::occupancyOf(*limits, needs).share();
}

std::vector<KernelChange> kernelChanges(const std::vector<KernelResources> &before,
                                        const std::vector<KernelResources> &after) {
    std::vector<KernelChange> changes;
    const auto in = [](const std::vector<KernelResources> &kernels, const QString &name) {
        const auto found =
            std::find_if(kernels.begin(), kernels.end(),
                         [&name](const KernelResources &kernel) { return kernel.name == name; });
        return found == kernels.end() ? nullptr : &*found;
    };
    const auto add = [&changes](const KernelResources *was, const KernelResources *is) {
        KernelChange change;
        change.name = is != nullptr ? is->name : was->name;
        if (was != nullptr) {
            change.registersBefore = was->registers;
            change.sharedBytesBefore = was->staticSharedBytes;
            change.occupancyBefore = occupancyOf(*was);
        }
        if (is != nullptr) {
            change.registersAfter = is->registers;
            change.sharedBytesAfter = is->staticSharedBytes;
            change.occupancyAfter = occupancyOf(*is);
        }
        if (change.registersBefore != change.registersAfter ||
            change.sharedBytesBefore != change.sharedBytesAfter ||
            change.occupancyBefore != change.occupancyAfter)
            changes.push_back(change);
    };
    for (const KernelResources &kernel : after)
        add(in(before, kernel.name), &kernel);
    for (const KernelResources &kernel : before)
        if (in(after, kernel.name) == nullptr)
            add(&kernel, nullptr);
    return changes;
}

} // namespace

bool isNoDifference(const Evidence &evidence) {
    if (evidence.ratio)
        return !evidence.whyNoDifference.isEmpty();
    return evidence.difference && evidence.difference->low <= 0 && evidence.difference->high >= 0;
}

QString whyNotTimed(const Evidence &evidence) {
    if (evidence.compile == StageStatus::Failed)
        return QStringLiteral("does not compile");
    return evidence.verify == StageStatus::Failed ? verdictName(evidence.after.verdict) : QString();
}

std::optional<double> measuredBefore(const EvaluationSummary &before, const EvaluationSummary &after) {
    if (const BesideTiming *beside = besideOf(before, after); beside != nullptr)
        return beside->before.medianMicroseconds;
    return before.candidate ? std::optional(before.candidate->medianMicroseconds) : std::nullopt;
}

std::optional<double> measuredBefore(const Evidence &evidence) {
    if (!evidence.difference || !evidence.after.candidate)
        return std::nullopt;
    return evidence.isOneRun && evidence.after.beside
               ? evidence.after.beside->before.medianMicroseconds
               : evidence.after.candidate->medianMicroseconds - evidence.difference->value;
}

std::optional<double> measuredAfter(const Evidence &evidence) {
    if (const std::optional<double> before = measuredBefore(evidence); before)
        return *before + evidence.difference->value;
    return evidence.after.candidate ? std::optional(evidence.after.candidate->medianMicroseconds)
                                    : std::nullopt;
}

Evidence evidenceOf(const std::optional<EvaluationSummary> &before, const EvaluationSummary &after,
                    const QString &textHash) {
    Evidence evidence;
    evidence.after = after;
    evidence.textHash = textHash;
    evidence.compile = after.verdict == Verdict::BuildFailed ? StageStatus::Failed : StageStatus::Passed;
    // Only what is right is timed.
    if (after.verdict == Verdict::Pass || after.candidate)
        evidence.verify = StageStatus::Passed;
    else if (after.verdict == Verdict::Wrong || after.verdict == Verdict::Rejected ||
             after.verdict == Verdict::RunFailed)
        evidence.verify = StageStatus::Failed;
    if (!before)
        return evidence;
    evidence.unexercised = unexercisedFiles(*before, after);
    evidence.ratio = timeRatio(*before, after);
    evidence.difference = timeDifference(*before, after);
    evidence.isOneRun = besideOf(*before, after) != nullptr;
    evidence.whyNoDifference = whyNoDifference(*before, after);
    return evidence;
}

Evidence evidenceOf(const Evaluation *before, const Evaluation &after, const QString &textHash) {
    Evidence evidence = evidenceOf(before == nullptr ? std::nullopt : std::optional(summaryOf(*before)),
                                   summaryOf(after), textHash);
    evidence.compile = after.compile.status;
    evidence.verify = statusOf(after.verify);
    if (before == nullptr)
        return evidence;
    if (after.compile.status == StageStatus::Passed && before->compile.status == StageStatus::Passed)
        evidence.kernels = kernelChanges(before->compile.kernels, after.compile.kernels);
    return evidence;
}

} // namespace warpwright
