// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report/findings_report.h"

#include "toolchain/base/figures.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

QString placeText(const Finding &finding) {
    QStringList parts;
    if (!finding.kernel.isEmpty())
        parts << printableLine(finding.kernel);
    if (!finding.file.isEmpty())
        parts << (finding.line > 0
                      ? QStringLiteral("%1:%2").arg(printableLine(finding.file)).arg(finding.line)
                      : printableLine(finding.file));
    return parts.isEmpty() ? QStringLiteral("the whole call") : parts.join(QStringLiteral(", "));
}

} // namespace

QString valueText(const FindingEvidence &evidence) {
    if (evidence.unit == QLatin1String("%"))
        return percentText(evidence.value / 100, evidence.value < 9.95 ? 1 : 0);
    if (evidence.unit == QStringLiteral("×"))
        return numberText(evidence.value, evidence.value < 9.95 ? 1 : 0) + evidence.unit;
    if (evidence.unit == QStringLiteral("µs"))
        return timeText(evidence.value);
    if (evidence.unit == QLatin1String("byte"))
        return evidence.value < 1e6 ? bytesText(evidence.value)
                                    : scaledText(evidence.value, QStringLiteral("B"));
    if (evidence.unit == QLatin1String("byte/s"))
        return scaledText(evidence.value, QStringLiteral("B/s"));
    if (!evidence.unit.isEmpty())
        return scaledText(evidence.value, evidence.unit);
    const bool isWhole = std::abs(evidence.value - std::round(evidence.value)) < 1e-9;
    return numberText(evidence.value, isWhole || evidence.value >= 100 ? 0 : evidence.value < 10 ? 2 : 1);
}

QString gainText(const Finding &finding) {
    if (finding.isNote)
        return {};
    if (!finding.gainMicroseconds)
        return QStringLiteral("gain not known");
    const QString share = finding.gainShare ? QStringLiteral(" (%1)").arg(percentText(
                                                  *finding.gainShare, *finding.gainShare < 0.0995 ? 1 : 0))
                                            : QString();
    return QStringLiteral("up to %1 of a call%2").arg(timeText(*finding.gainMicroseconds), share);
}

QString findingText(const Finding &finding, int number, const Terminal &terminal) {
    const QString gain = gainText(finding);
    const QString certainty = finding.isNote       ? QStringLiteral("note")
                              : finding.isMeasured ? QStringLiteral("measured")
                                                   : QStringLiteral("read, not measured");
    QString text =
        QStringLiteral("%1. %2  %3\n")
            .arg(number)
            .arg(
                inked(terminal, finding.isNote ? Ink::Plain : Ink::Strong, printableLine(finding.title)),
                inked(terminal, Ink::Faint,
                      QStringLiteral("[%1] %2").arg(
                          finding.id, gain.isEmpty() ? certainty : gain + QStringLiteral(", ") + certainty)));
    const int width = terminal.columns - 3;
    text += QStringLiteral("   %1\n").arg(placeText(finding));
    text += QStringLiteral("   %1\n").arg(wrapped(printable(finding.message), width, 3));
    for (const FindingEvidence &one : finding.evidence)
        text += QStringLiteral("   - %1\n")
                    .arg(wrapped(
                        printable(QStringLiteral("%1: %2 (%3)").arg(one.what, valueText(one), one.source)),
                        width - 2, 5));
    if (!finding.gainBasis.isEmpty() && !finding.isNote)
        text += QStringLiteral("   gain: %1\n").arg(wrapped(printable(finding.gainBasis), width - 6, 3));
    text += QStringLiteral("   try: %1\n").arg(wrapped(printable(finding.advice), width - 5, 3));
    return text;
}

QString findingsText(const Findings &findings, const Terminal &terminal, int shown) {
    QString missing;
    for (const QString &one : findings.missing)
        missing +=
            inked(terminal, Ink::Unsure, wrapped(printable(one), terminal.columns, 0)) + QLatin1Char('\n');
    // Whoever reads one line must not take what was not looked at for what is not there.
    const bool hasOnlyNotes = std::all_of(findings.list.begin(), findings.list.end(),
                                          [](const Finding &finding) { return finding.isNote; });
    const bool isBlind = hasOnlyNotes && !findings.looked.contains(QStringLiteral("counters"));
    QString text = isBlind ? missing : QString();
    int number = 0;
    for (const Finding &finding : findings.list) {
        if (shown > 0 && number == shown)
            break;
        text += findingText(finding, ++number, terminal) + QLatin1Char('\n');
    }
    if (number < static_cast<int>(findings.list.size()))
        text +=
            QStringLiteral("%1 more are not shown.\n").arg(static_cast<int>(findings.list.size()) - number);
    if (findings.list.empty())
        text +=
            isBlind && !findings.looked.isEmpty()
                ? QStringLiteral("Nothing was found in %1.\n").arg(findings.looked.join(QStringLiteral(", ")))
                : QStringLiteral("Nothing was found.\n");
    text += inked(terminal, Ink::Faint,
                  QStringLiteral("Looked at: %1.")
                      .arg(findings.looked.isEmpty() ? QStringLiteral("nothing")
                                                     : findings.looked.join(QStringLiteral(", "))));
    if (findings.callMicroseconds)
        text += inked(terminal, Ink::Faint,
                      QStringLiteral(" A call (one forward of the model) takes %1 (%2).")
                          .arg(timeText(*findings.callMicroseconds), findings.callSource));
    text += QLatin1Char('\n');
    return isBlind ? text : text + missing;
}

} // namespace warpwright
