// SPDX-License-Identifier: GPL-3.0-or-later
// The times of terminal_report.h: arms, speed of light, speed-ups.
#include "app/cli/figures.h"
#include "app/cli/stage_notes.h"
#include "app/cli/terminal_report.h"
#include "app/cli/text_table.h"
#include "toolchain/judge_sections.h"

#include <array>

namespace warpwright {
namespace {

constexpr std::array armOrder{"candidate",     "eager",     "compile",    "eagerStrict",
                              "compileStrict", "eagerTf32", "compileTf32"};

std::optional<double> numberIn(const OrderedJson &object, const char *key) {
    if (!object.is_object() || !object.contains(key) || !object[key].is_number())
        return std::nullopt;
    return object[key].get<double>();
}

QString armsTable(const Evaluation &evaluation, const Terminal &terminal) {
    TextTable table({1, 2, 3});
    table.heading({QStringLiteral("arm"), QStringLiteral("median"), QStringLiteral("95 % interval"),
                   QStringLiteral("samples"), QString()});
    bool isEmpty = true;
    for (const char *arm : armOrder) {
        const std::optional<ArmTiming> timing = armIn(evaluation.profile, arm);
        if (!timing)
            continue;
        isEmpty = false;
        table.row({QLatin1String(arm), timeText(timing->medianMicroseconds),
                   intervalText(timing->lowMicroseconds, timing->highMicroseconds),
                   QString::number(timing->samples),
                   timing->isLive ? QString() : QStringLiteral("stored earlier, times the live arm's drift")},
                  QLatin1String(arm) == QLatin1String("candidate") ? Ink::Strong : Ink::Plain);
    }
    if (isEmpty)
        return {};
    const std::optional<double> light = numberIn(evaluation.profile, "speedOfLightMicroseconds");
    const std::optional<ArmTiming> candidate = armIn(evaluation.profile, "candidate");
    if (light && candidate) {
        table.row({QStringLiteral("speed of light"), timeText(*light), QString(), QString(),
                   QStringLiteral("the candidate reaches %1 % of it")
                       .arg(100 * *light / candidate->medianMicroseconds, 0, 'f', 0)},
                  Ink::Faint);
    }
    return table.text(terminal, 2);
}

/// One row an arm. The fastest of the candidate's class comes first: it is the one that counts.
QString speedUpsTable(const Evaluation &evaluation, const Terminal &terminal) {
    const OrderedJson &profile = evaluation.profile;
    const std::optional<SpeedUp> sameClass = speedUpIn(profile, "sameClass");
    TextTable table({1});
    table.heading({QStringLiteral("speed-up"), QString(), QStringLiteral("95 % interval")});
    const auto add = [&table](const SpeedUp &speedUp, const QString &meaning, Ink ink) {
        table.row({QStringLiteral("over ") + speedUp.arm, factorText(speedUp.value),
                   QStringLiteral("%1 … %2").arg(factorText(speedUp.low), factorText(speedUp.high)), meaning},
                  ink);
    };
    if (sameClass) {
        const QString precision = evaluation.precisionMeasured.isEmpty() ? QStringLiteral("the candidate's")
                                                                         : evaluation.precisionMeasured;
        add(*sameClass, QStringLiteral("the fastest baseline of precision %1 or higher").arg(precision),
            Ink::Strong);
    }
    bool isEmpty = !sameClass;
    for (const char *name : {"compile", "eager"}) {
        const std::optional<SpeedUp> speedUp = speedUpIn(profile, name);
        if (!speedUp || (sameClass && sameClass->arm == speedUp->arm))
            continue;
        isEmpty = false;
        add(*speedUp,
            QLatin1String(name) == QLatin1String("eager") ? QStringLiteral("PyTorch as it comes")
                                                          : QStringLiteral("torch.compile as it comes"),
            Ink::Plain);
    }
    return isEmpty ? QString() : table.text(terminal, 2);
}

} // namespace

QString timesText(const Evaluation &evaluation, const Terminal &terminal) {
    const QString arms = armsTable(evaluation, terminal);
    if (arms.isEmpty())
        return {};
    const QString speedUps = speedUpsTable(evaluation, terminal);
    const QString method = methodText(evaluation.profile);
    QString text = arms + (speedUps.isEmpty() ? QString() : QLatin1Char('\n') + speedUps);
    if (!method.isEmpty())
        text += QStringLiteral("\n  ") +
                inked(terminal, Ink::Faint, wrapped(printable(method), terminal.columns - 4, 2)) +
                QLatin1Char('\n');
    return text;
}

} // namespace warpwright
