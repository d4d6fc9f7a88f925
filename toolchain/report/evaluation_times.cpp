// SPDX-License-Identifier: GPL-3.0-or-later
// The times of evaluation_report.h: arms, speed of light, speed-ups.
#include "toolchain/evaluation/ceiling_doubt.h"
#include "toolchain/evaluation/measured_figures.h"
#include "toolchain/evaluation/stored_baseline.h"
#include "toolchain/report/evaluation_report.h"
#include "toolchain/report/text_table.h"

#include <algorithm>

namespace warpwright {
namespace {

void addArms(TextTable &table, const QString &heading, const std::vector<ArmFigures> &arms,
             const TimeScale &times) {
    table.heading({heading, QStringLiteral("median"), QStringLiteral("95 % interval"),
                   QStringLiteral("samples"), QString()});
    for (const ArmFigures &arm : arms) {
        table.row({arm.label, times.text(arm.medianMicroseconds),
                   times.interval(arm.lowMicroseconds, arm.highMicroseconds),
                   arm.samples ? numberText(*arm.samples) : QString(), arm.storedText()},
                  arm.isCandidate() ? Ink::Strong : Ink::Plain);
    }
}

QString armsTable(const MeasuredFigures &figures, const Terminal &terminal) {
    if (figures.arms.empty())
        return {};
    const TimeScale &times = figures.times;
    TextTable table({1, 2, 3});
    addArms(table, QStringLiteral("arm"), figures.arms, times);
    if (const std::optional<MeasuredFigures::Share> share = figures.shareOfLight())
        table.row({QStringLiteral("speed of light"), times.fineText(*figures.speedOfLightMicroseconds),
                   QString(), QString(),
                   ceilingDoubt(figures).isEmpty()
                       ? QStringLiteral("the candidate reaches %1 of it").arg(percentText(share->value))
                       : QStringLiteral("measured too low in this check (a busy machine?): no percentage")},
                  Ink::Faint);
    return table.text(terminal, 2);
}

/// One row an arm. The fastest of the candidate's class comes first: it is the one that counts.
QString speedUpsTable(const MeasuredFigures &figures, const Terminal &terminal) {
    const std::optional<SpeedUp> &sameClass = figures.sameClass;
    TextTable table({1});
    table.heading({QStringLiteral("speed-up"), QString(), QStringLiteral("95 % interval")});
    const auto add = [&](const SpeedUp &speedUp, const QString &meaning, Ink ink) {
        const FactorText factor = factorText(speedUp.value, speedUp.low, speedUp.high);
        const QString why = whyNotComparableToday(figures, speedUp.arm);
        table.row({QStringLiteral("over ") + armLabel(speedUp.arm), factor.value, factor.interval,
                   why.isEmpty() ? meaning : why},
                  why.isEmpty() ? ink : Ink::Faint);
    };
    if (sameClass)
        add(*sameClass,
            QStringLiteral("the fastest baseline of precision %1 or higher")
                .arg(figures.precision.isEmpty() ? QStringLiteral("the candidate's") : figures.precision),
            Ink::Strong);
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

/// The lane of graphs, where it was measured; why not, where the tier would have.
QString graphText(const MeasuredFigures &figures, const Terminal &terminal) {
    const GraphFigures &graph = figures.graph;
    if (graph.status != StageStatus::Passed)
        return figures.tier == Tier::Certify && !graph.reason.isEmpty()
                   ? QStringLiteral("\n  ") +
                         inked(
                             terminal, Ink::Faint,
                             wrapped(QStringLiteral("not run as one CUDA graph: ") + printable(graph.reason),
                                     terminal.columns - 4, 2)) +
                         QLatin1Char('\n')
                   : QString();
    TextTable table({1, 2, 3});
    addArms(table, QStringLiteral("as one CUDA graph"), graph.arms, figures.times);
    return QLatin1Char('\n') + table.text(terminal, 2) + QLatin1Char('\n') +
           speedUpsTable(asGraph(figures), terminal);
}

/// What other values of the candidate's own switches took: hints, and said to be none of its measurement.
QString sweepText(const MeasuredFigures &figures, const Terminal &terminal) {
    const SweepFigures &sweep = figures.sweep;
    if (sweep.tried.empty())
        return {};
    std::size_t most = 0;
    for (const auto &[attribute, times] : sweep.tried)
        most = std::max(most, times.size());
    QStringList heading{QStringLiteral("also tried")};
    std::vector<int> right;
    for (std::size_t value = 0; value < most; ++value) {
        heading << QString::number(value);
        right.push_back(static_cast<int>(value) + 1);
    }
    TextTable table(right);
    table.heading(heading);
    QStringList best;
    for (const auto &[attribute, times] : sweep.tried) {
        QStringList cells{printable(attribute)};
        for (const std::optional<double> &time : times)
            cells << (time ? figures.times.text(*time) : QString());
        table.row(cells);
        if (const auto found = sweep.best.find(attribute); found != sweep.best.end())
            best << QStringLiteral("%1 = %2").arg(printable(attribute)).arg(found->second);
    }
    QString words =
        QStringLiteral("the candidate with other values of its CHOICES, a few short batches in one "
                       "process, results not compared: hints");
    if (!best.isEmpty() && sweep.ratio)
        words += QStringLiteral("; %1 together took %2 of this text's time")
                     .arg(best.join(QStringLiteral(", ")), percentText(*sweep.ratio));
    if (sweep.status != StageStatus::Passed && !sweep.reason.isEmpty())
        words += QStringLiteral("; ended early: ") + printable(sweep.reason);
    return QLatin1Char('\n') + table.text(terminal, 2) + QStringLiteral("  ") +
           inked(terminal, Ink::Faint, wrapped(words, terminal.columns - 4, 2)) + QLatin1Char('\n');
}

QString certificateText(const MeasuredFigures &figures, const Terminal &terminal) {
    const CertificateFigures &certificate = figures.certificate;
    if (figures.tier != Tier::Certify || certificate.status == StageStatus::NotRun)
        return {};
    const bool isGiven = certificate.status == StageStatus::Passed;
    QString text = isGiven ? certificate.isOfGraph() ? QStringLiteral("certified as one CUDA graph")
                                                     : QStringLiteral("certified call by call")
                           : QStringLiteral("not certified");
    text += QStringLiteral(", %1 fresh processes of every arm").arg(certificate.processes);
    if (certificate.sameAgain) {
        const SpeedUp &again = *certificate.sameAgain;
        const FactorText factor = factorText(again.value, again.low, again.high);
        text += QStringLiteral("; %1 against itself %2 (%3)")
                    .arg(armLabel(again.arm), factor.value, factor.interval);
    }
    if (!certificate.reason.isEmpty())
        text += QStringLiteral(". ") + printable(certificate.reason);
    return QStringLiteral("\n  ") +
           inked(terminal, isGiven ? Ink::Plain : Ink::Bad, wrapped(text, terminal.columns - 4, 2)) +
           QLatin1Char('\n');
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
    text += graphText(figures, terminal) + sweepText(figures, terminal) + certificateText(figures, terminal);
    if (!method.isEmpty())
        text += QStringLiteral("\n  ") +
                inked(terminal, Ink::Faint, wrapped(printable(method), terminal.columns - 4, 2)) +
                QLatin1Char('\n');
    return text;
}

} // namespace warpwright
