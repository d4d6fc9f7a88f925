// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/findings/kernel_evidence.h"

#include "toolchain/base/figures.h"

#include <QStringList>

#include <algorithm>
#include <map>

namespace warpwright {

std::optional<double> KernelEvidence::number(const char *metric) const {
    return counters == nullptr ? std::nullopt : counters->number(metric);
}

std::optional<double> KernelEvidence::share(const char *percentMetric) const {
    const auto percent = number(percentMetric);
    return percent ? std::optional(*percent / 100) : std::nullopt;
}

std::optional<double> KernelEvidence::stalled(std::initializer_list<const char *> reasons) const {
    if (counters == nullptr)
        return std::nullopt;
    if (hasSamples()) {
        double sum = 0;
        for (const ReadInstruction &instruction : code)
            for (const char *reason : reasons)
                sum += instruction.counts == nullptr
                           ? 0
                           : instruction.counts->value(QStringLiteral("stall.") + QLatin1String(reason));
        return sum / samples;
    }
    const auto latency = number("smsp__average_warp_latency_per_inst_issued.ratio");
    if (!latency || *latency <= 0)
        return std::nullopt;
    double sum = 0;
    for (const char *reason : reasons)
        sum += counters
                   ->number(QStringLiteral("smsp__average_warps_issue_stalled_%1_per_issue_active.ratio")
                                .arg(QLatin1String(reason)))
                   .value_or(0);
    return std::min(1.0, sum / *latency);
}

double KernelEvidence::waitingFor(const std::function<bool(const ReadInstruction &)> &isMeant) const {
    if (samples <= 0)
        return 0;
    double sum = 0;
    for (const SampledWait &wait : waits)
        if (wait.producer >= 0 && isMeant(code[static_cast<std::size_t>(wait.producer)]))
            sum += wait.samples;
    for (const ReadInstruction &instruction : code)
        if (isMeant(instruction))
            sum += instruction.count("stall.lg_throttle") + instruction.count("stall.mio_throttle") +
                   instruction.count("stall.tex_throttle");
    return sum / samples;
}

int KernelEvidence::costliest(const std::function<bool(const ReadInstruction &)> &isMeant) const {
    std::map<int, double> cost;
    for (const SampledWait &wait : waits)
        if (wait.producer >= 0 && isMeant(code[static_cast<std::size_t>(wait.producer)]))
            cost[wait.producer] += wait.samples;
    for (std::size_t i = 0; i < code.size(); ++i)
        if (isMeant(code[i]))
            cost[static_cast<int>(i)] += code[i].count("samples");
    const auto most = std::max_element(cost.begin(), cost.end(), [](const auto &one, const auto &other) {
        return one.second < other.second;
    });
    return most == cost.end() ? -1 : most->first;
}

double KernelEvidence::executed(const std::function<bool(const ReadInstruction &)> &isMeant) const {
    double sum = 0;
    for (const ReadInstruction &instruction : code)
        if (isMeant(instruction))
            sum += instruction.count("executed");
    return sum;
}

std::optional<double> KernelEvidence::activeShare() const {
    const auto active = number("sm__cycles_active.avg");
    const auto elapsed = number("gpc__cycles_elapsed.max");
    if (!active || !elapsed || *elapsed <= 0)
        return std::nullopt;
    return std::min(1.0, *active / *elapsed);
}

double KernelEvidence::blocks() const {
    return counters == nullptr
               ? 0
               : static_cast<double>(counters->grid[0]) * counters->grid[1] * counters->grid[2];
}

Finding findingAt(const FindingContext &context, const KernelEvidence &kernel, const char *id,
                  const QString &title, int instruction) {
    Finding finding;
    finding.id = QString::fromLatin1(id);
    finding.title = title;
    finding.kernel = kernel.name;
    finding.isMeasured = kernel.isCounted();
    if (instruction < 0 || instruction >= static_cast<int>(kernel.code.size()))
        return finding;
    const ReadInstruction &at = kernel.code[static_cast<std::size_t>(instruction)];
    finding.file = context.workspaceFile(at.file);
    finding.line = at.line;
    // A report names the innermost place only; where that is in a header of the toolkit's, the compiler's
    // listing of the same kernel knows the line of ours that it was inlined into.
    if (finding.file.isEmpty() && kernel.inspected != nullptr && kernel.inspected->sass)
        for (const CodeLine &line : kernel.inspected->sass->lines)
            if (line.kind == CodeLine::Kind::Instruction && line.address == static_cast<qint64>(at.address)) {
                const CodePlace place = placeOf(*kernel.inspected->sass, line, kernel.inspected->source);
                finding.file = context.workspaceFile(place.file);
                finding.line = place.line;
            }
    if (finding.file.isEmpty())
        finding.line = 0;
    return finding;
}

void claim(Finding &finding, const FindingContext &context, const KernelEvidence &kernel,
           double shareOfKernel, const QString &basis) {
    finding.gainBasis = basis;
    if (!kernel.microseconds)
        return;
    finding.gainMicroseconds = *kernel.microseconds * std::clamp(shareOfKernel, 0.0, 1.0);
    if (context.callMicroseconds && *context.callMicroseconds > 0)
        finding.gainShare = std::min(1.0, *finding.gainMicroseconds / *context.callMicroseconds);
}

QString shareText(double share) {
    return percentText(share, share < 0.0995 ? 1 : 0);
}

QString timesText(double factor) {
    return numberText(factor, factor < 9.95 ? 1 : 0) + QStringLiteral("×");
}

} // namespace warpwright
