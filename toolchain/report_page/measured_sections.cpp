// SPDX-License-Identifier: GPL-3.0-or-later
// Roofline, timeline and findings of a report page.
#include "toolchain/base/figures.h"
#include "toolchain/report_page/charts.h"
#include "toolchain/report_page/sections.h"
#include "toolchain/timeline/timeline_summary.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr std::size_t mostFindings = 60;

RooflineInput rooflineInput(const ReportedText &of) {
    RooflineInput input;
    input.figures = *of.figures;
    input.iteration = of.input.iteration;
    for (const std::size_t place : of.shown.places) {
        const IterationRecord &record = of.input.iterations[place];
        // Times of another device have no place under this one's ceilings.
        if (record.latest && paceOf(*record.latest) && record.latest->candidate &&
            record.latest->device == of.figures->device.name)
            input.iterations.push_back(
                {record.iteration.number, record.latest->candidate->medianMicroseconds});
    }
    // Lent, for as long as this is drawn.
    if (of.input.known.counters)
        input.counters = SharedCounters(SharedCounters(), &*of.input.known.counters);
    return input;
}

void addPoints(Markup &page, const Roofline &roofline, const MeasuredFigures &figures) {
    beginTable(page, {"what", "operations a byte", "operations a second", "of its roof", "basis"}, {1, 2, 3});
    for (const RooflinePoint &point : roofline.points) {
        if (point.kind == RooflinePoint::Kind::Iteration)
            continue;
        const std::optional<double> roof = roofline.roofAt(point.intensity());
        page.begin("tr", {{"class", point.kind == RooflinePoint::Kind::Current ? "own" : "other"}});
        page.add("td", cutText(point.label, 400));
        addNumber(page, intensityText(point.intensity()), point.intensity());
        addNumber(page, scaledText(point.flopsPerSecond(), QStringLiteral("FLOP/s")), point.flopsPerSecond());
        addNumber(page, roof && !roofline.isAboveRoof(point, figures)
                            ? percentText(point.flopsPerSecond() / *roof)
                            : QStringLiteral("–"));
        page.add("td", point.basis);
        page.end();
    }
    endTable(page);
}

QString placeOf(const Finding &finding) {
    QStringList parts;
    if (!finding.kernel.isEmpty())
        parts << finding.kernel;
    if (!finding.file.isEmpty())
        parts << (finding.line > 0 ? QStringLiteral("%1:%2").arg(finding.file, QString::number(finding.line))
                                   : finding.file);
    return parts.isEmpty() ? QStringLiteral("the whole call") : parts.join(QStringLiteral(", "));
}

void addFinding(Markup &page, const Finding &finding) {
    page.add("h3", finding.title + QStringLiteral(" (%1)").arg(finding.id));
    page.paragraph(placeOf(finding), "faint");
    page.paragraph(finding.message);
    page.paragraph(finding.advice.isEmpty() ? QString()
                                            : QStringLiteral("What to try: %1").arg(finding.advice));
    QString gain;
    if (finding.isNote)
        gain = QStringLiteral("Nothing to fix.");
    else if (finding.gainMicroseconds)
        gain = QStringLiteral("Fixing it saves at most %1%2 of a call: %3")
                   .arg(timeText(*finding.gainMicroseconds),
                        finding.gainShare ? QStringLiteral(" (%1)").arg(percentText(*finding.gainShare))
                                          : QString(),
                        finding.gainBasis);
    else
        gain = QStringLiteral("The gain of fixing it is not known.");
    page.paragraph(
        gain + (finding.isMeasured ? QStringLiteral(" Measured.") : QStringLiteral(" Read, not measured.")),
        "faint");
    if (finding.evidence.empty())
        return;
    page.begin("ul");
    for (const FindingEvidence &evidence : finding.evidence)
        page.add("li", {{"class", "faint"}},
                 QStringLiteral("%1: %2%3 (%4)")
                     .arg(evidence.what,
                          numberText(evidence.value, evidence.value == std::floor(evidence.value) ? 0 : 2),
                          evidence.unit.isEmpty() ? QString() : QChar(0x00a0) + evidence.unit,
                          evidence.source));
    page.end();
}

} // namespace

void writeRoofline(Markup &page, const ReportedText &of) {
    beginSection(page, "roofline", QStringLiteral("Roofline"));
    if (!of.figures) {
        page.paragraph(
            QStringLiteral("The roofline needs a check of this text, which measures the device's ceilings."));
        page.end();
        return;
    }
    const Roofline roofline = rooflineOf(rooflineInput(of));
    if (roofline.ceilings.empty())
        page.paragraph(
            QStringLiteral("The ceilings of the device were not measured: a check with a profile does."));
    else if (roofline.points.empty())
        page.paragraph(QStringLiteral("Nothing has a point on it."));
    drawRoofline(page, roofline);
    if (!roofline.points.empty())
        addPoints(page, roofline, *of.figures);
    for (const QString &remark : roofline.remarks)
        page.paragraph(remark, "faint");
    page.end();
}

void writeTimeline(Markup &page, const ReportedText &of) {
    beginSection(page, "timeline", QStringLiteral("Timeline of one call"));
    if (!of.input.timeline) {
        page.paragraph(QStringLiteral("No timeline of this text is stored: wright timeline makes one."));
        page.end();
        return;
    }
    const Timeline &timeline = *of.input.timeline;
    drawTimeline(page, timeline);
    page.paragraph(methodOf(timeline), "faint");
    for (const TimelineArm &arm : timeline.arms) {
        page.add("h3", arm.name);
        if (!arm.problem.isEmpty()) {
            page.paragraph(QStringLiteral("Not traced: %1").arg(cutText(arm.problem, 2000)));
            continue;
        }
        const TimelineAnalysis analysis = analysed(arm);
        page.begin("ul");
        for (const QString &sentence : sentencesOf(arm, analysis))
            page.add("li", cutText(sentence, 2000));
        page.end();
        if (!analysis.path.empty())
            page.paragraph(QStringLiteral("What its end waits for: %1").arg(pathText(arm, analysis.path)),
                           "faint");
    }
    for (const QString &problem : timeline.problems)
        page.paragraph(problem, "doubt");
    page.end();
}

void writeFindings(Markup &page, const ReportedText &of) {
    const Findings &findings = of.input.findings;
    beginSection(page, "findings", QStringLiteral("Findings"));
    page.paragraph(
        QStringLiteral("Hints about speed, the largest gain first; no part of the verdict. Looked at: %1.")
            .arg(findings.looked.isEmpty() ? QStringLiteral("nothing")
                                           : findings.looked.join(QStringLiteral(", "))),
        "faint");
    if (findings.callMicroseconds)
        page.paragraph(QStringLiteral("A call takes %1 (%2).")
                           .arg(timeText(*findings.callMicroseconds), findings.callSource),
                       "faint");
    const auto sayMissing = [&page, &findings] {
        for (const QString &one : findings.missing)
            page.paragraph(QStringLiteral("Not looked at: %1").arg(one), "faint");
    };
    const bool hasOnlyNotes = std::all_of(findings.list.begin(), findings.list.end(),
                                          [](const Finding &finding) { return finding.isNote; });
    const bool isBlind = hasOnlyNotes && !findings.looked.contains(QStringLiteral("counters"));
    if (isBlind)
        sayMissing();
    if (findings.list.empty())
        page.paragraph(
            findings.looked.isEmpty()
                ? QStringLiteral("None.")
                : QStringLiteral("Nothing was found in %1.").arg(findings.looked.join(QStringLiteral(", "))));
    for (std::size_t i = 0; i < std::min(findings.list.size(), mostFindings); ++i)
        addFinding(page, findings.list[i]);
    if (findings.list.size() > mostFindings)
        page.paragraph(
            QStringLiteral("%1 more with less gain are not shown.").arg(findings.list.size() - mostFindings),
            "faint");
    if (!isBlind)
        sayMissing();
    page.end();
}

} // namespace warpwright
