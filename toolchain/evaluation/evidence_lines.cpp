// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/evaluation/evidence_lines.h"

#include "toolchain/base/figures.h"

namespace warpwright {
namespace {

Diagnostic toolLine(const SanitizerOutcome &outcome) {
    Diagnostic line;
    line.tool = outcome.tool;
    line.severity = Severity::Note;
    if (outcome.status == StageStatus::Passed) {
        line.message = QStringLiteral("Passed");
        if (outcome.seconds)
            line.message += QStringLiteral(" in ") + durationText(*outcome.seconds);
    } else {
        line.severity = Severity::Warning;
        line.message = QStringLiteral("Not run: ") + outcome.reason;
    }
    if (outcome.leftOut > 0)
        line.message += QStringLiteral("; %1 outside of your kernels left out")
                            .arg(countText(outcome.leftOut, QStringLiteral("error")));
    return line;
}

} // namespace

std::vector<Diagnostic> findingLines(const OrderedJson &integrity) {
    std::vector<Diagnostic> lines;
    if (!integrity.is_object() || !integrity.contains("findings") || !integrity["findings"].is_array())
        return lines;
    for (const OrderedJson &finding : integrity["findings"]) {
        const QString rule = stringIn(finding, "rule", stringIn(finding, "kind"));
        if (rule.isEmpty())
            continue;
        Diagnostic line;
        line.severity = Severity::Error;
        line.tool = rule;
        line.message = QStringLiteral("%1: %2").arg(rule, stringIn(finding, "evidence"));
        const OrderedJson place = finding.value("place", OrderedJson());
        line.file = stringIn(place, "file");
        if (place.is_object() && place.contains("line") && place["line"].is_number_integer())
            line.line = place["line"].get<int>();
        lines.push_back(line);
    }
    return lines;
}

std::vector<Diagnostic> sanitizerLines(const SanitizerSection &sanitizers) {
    std::vector<Diagnostic> lines;
    for (const SanitizerOutcome &outcome : sanitizers.tools) {
        if (outcome.status != StageStatus::Failed)
            lines.push_back(toolLine(outcome));
        for (const SanitizerFinding &finding : outcome.first) {
            Diagnostic line;
            line.severity = outcome.tool == QLatin1String("memcheck") ? Severity::Error : Severity::Warning;
            line.tool = outcome.tool;
            line.file = finding.file;
            line.line = finding.line;
            line.message = QStringLiteral("%1: %2").arg(outcome.tool, finding.message);
            if (!finding.kernel.isEmpty())
                line.message += QStringLiteral(", in ") + finding.kernel;
            if (!finding.thread.isEmpty())
                line.message += QStringLiteral(", thread %1 of block %2").arg(finding.thread, finding.block);
            lines.push_back(line);
        }
    }
    return lines;
}

} // namespace warpwright
