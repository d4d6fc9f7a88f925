// SPDX-License-Identifier: GPL-3.0-or-later
// The times of terminal_report.h: arms, speed of light, speed-ups.
#include "app/cli/terminal_report.h"
#include "app/cli/text_table.h"
#include "toolchain/measured_figures.h"

namespace warpwright {
namespace {

QString armsTable(const MeasuredFigures &figures, const Terminal &terminal) {
    if (figures.arms.empty())
        return {};
    const TimeScale &times = figures.times;
    TextTable table({1, 2, 3});
    table.heading({QStringLiteral("arm"), QStringLiteral("median"), QStringLiteral("95 % interval"),
                   QStringLiteral("samples"), QString()});
    for (const ArmFigures &arm : figures.arms) {
        table.row({arm.label, times.text(arm.medianMicroseconds),
                   times.interval(arm.lowMicroseconds, arm.highMicroseconds),
                   arm.samples ? numberText(*arm.samples) : QString(), arm.storedText()},
                  arm.isCandidate() ? Ink::Strong : Ink::Plain);
    }
    if (const std::optional<MeasuredFigures::Share> share = figures.shareOfLight())
        table.row({QStringLiteral("speed of light"), times.text(*figures.speedOfLightMicroseconds), QString(),
                   QString(),
                   QStringLiteral("the candidate reaches %1 of it").arg(percentText(share->value))},
                  Ink::Faint);
    return table.text(terminal, 2);
}

/// One row an arm. The fastest of the candidate's class comes first: it is the one that counts.
QString speedUpsTable(const MeasuredFigures &figures, const Terminal &terminal) {
    TextTable table({1});
    table.heading({QStringLiteral("speed-up"), QString(), QStringLiteral("95 % interval")});
    const auto add = [&table](const SpeedUp &speedUp, const QString &meaning, Ink ink) {
        const FactorText factor = factorText(speedUp.value, speedUp.low, speedUp.high);
        table.row({QStringLiteral("over ") + armLabel(speedUp.arm), factor.value, factor.interval, meaning},
                  ink);
    };
    const std::optional<SpeedUp> &sameClass = figures.sameClass;
    if (sameClass) {
        const QString precision =
            figures.precision.isEmpty() ? QStringLiteral("the candidate's") : figures.precision;
        add(*sameClass, QStringLiteral("the fastest baseline of precision %1 or higher").arg(precision),
            Ink::Strong);
    }
    bool isEmpty = !sameClass;
    const std::pair<std::optional<SpeedUp>, const char *> others[] = {
        {figures.compile, "torch.compile as it comes"}, {figures.eager, "PyTorch as it comes"}};
    for (const auto &[speedUp, meaning] : others) {
        if (!speedUp || (sameClass && sameClass->arm == speedUp->arm))
            continue;
        isEmpty = false;
        add(*speedUp, QLatin1String(meaning), Ink::Plain);
    }
    return isEmpty ? QString() : table.text(terminal, 2);
}

} // namespace

QString timesText(const Evaluation &evaluation, const Terminal &terminal) {
    const MeasuredFigures figures = measuredFigures(evaluation);
    const QString arms = armsTable(figures, terminal);
    if (arms.isEmpty())
        return {};
    const QString speedUps = speedUpsTable(figures, terminal);
    const QString &method = figures.method;
    QString text = arms + (speedUps.isEmpty() ? QString() : QLatin1Char('\n') + speedUps);
    if (!method.isEmpty())
        text += QStringLiteral("\n  ") +
                inked(terminal, Ink::Faint, wrapped(printable(method), terminal.columns - 4, 2)) +
                QLatin1Char('\n');
    return text;
}

} // namespace warpwright
