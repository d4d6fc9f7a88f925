// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/iteration_comparison.h"
#include "agent/text_change.h"
#include "app/cli/command.h"
#include "app/cli/iteration_document.h"
#include "app/cli/version_text.h"
#include "toolchain/evaluation_json.h"
#include "toolchain/figures.h"
#include "toolchain/report/diff_text.h"
#include "toolchain/report/text_table.h"
#include "toolchain/unexercised.h"
#include "toolchain/workspace.h"

#include <QDir>

#include <unistd.h>

namespace warpwright {
namespace {

QString titleOf(const IterationRecord &record) {
    return QStringLiteral("iteration %1").arg(record.iteration.number);
}

ExercisedFiles unexercisedOf(const IterationComparison &comparison) {
    return comparison.left.latest && comparison.right.latest
               ? unexercisedFiles(*comparison.left.latest, *comparison.right.latest)
               : ExercisedFiles();
}

QString unexercisedText(const IterationComparison &comparison) {
    const ExercisedFiles files = unexercisedOf(comparison);
    return files.empty() ? QString()
                         : QStringLiteral("not exercised: %1; the same code was measured twice")
                               .arg(notRunSentence(files));
}

QString textOf(const IterationComparison &comparison, const Terminal &terminal) {
    const IterationRecord &left = comparison.left;
    const IterationRecord &right = comparison.right;
    TextTable table({1, 2, 3});
    table.heading({QString(), titleOf(left), titleOf(right), QStringLiteral("difference"), QString()});
    table.row({QStringLiteral("Verdict"), verdictWord(left.latest), verdictWord(right.latest)});
    for (const ComparedMetric &metric : comparison.metrics)
        table.row({metric.name, metric.left, metric.right, metric.delta, printable(metric.remark)},
                  metric.isNoise ? Ink::Faint : Ink::Plain);
    QString text;
    for (const IterationRecord *one : {&left, &right})
        text += QStringLiteral("%1   %2\n")
                    .arg(inked(terminal, Ink::Strong, titleOf(*one)), printable(one->iteration.note));
    text += comparison.ancestor == 0 ? QStringLiteral("  nothing in common before them\n")
                                     : QStringLiteral("  both from iteration %1\n").arg(comparison.ancestor);
    text += QLatin1Char('\n') + table.text(terminal, 2);
    if (comparison.ratio)
        text +=
            QStringLiteral("\n  %1 takes %2 (%3–%4) of the time of %5, %6%7\n")
                .arg(titleOf(right), percentText(comparison.ratio->value), percentText(comparison.ratio->low),
                     percentText(comparison.ratio->high), titleOf(left), wayText(comparison.ratio->way),
                     comparison.ratio->isNoise() ? QStringLiteral("; within the noise") : QString());
    if (const QString sentence = unexercisedText(comparison); !sentence.isEmpty())
        text += QStringLiteral("\n  %1\n").arg(printable(sentence));
    const QString changes = diffText(comparison.text, terminal);
    return text + QLatin1Char('\n') +
           (changes.isEmpty() ? QStringLiteral("The texts are the same.\n") : changes);
}

OrderedJson sideToJson(const IterationRecord &record, const ComparedSide &side) {
    OrderedJson json = iterationToJson(record);
    json["kernels"] = OrderedJson::array();
    if (side.evaluation)
        for (const KernelResources &kernel : side.evaluation->compile.kernels)
            json["kernels"].push_back(kernelToJson(kernel));
    return json;
}

OrderedJson documentOf(const IterationComparison &comparison) {
    OrderedJson metrics = OrderedJson::array();
    for (const ComparedMetric &metric : comparison.metrics)
        metrics.push_back(OrderedJson{{"name", toJson(metric.name)},
                                      {"left", toJson(metric.left)},
                                      {"right", toJson(metric.right)},
                                      {"difference", toJson(metric.delta)},
                                      {"remark", toJson(metric.remark)},
                                      {"isNoise", metric.isNoise}});
    OrderedJson document{{"schema", "warpwright.compare/1"},
                         {"program", toJson(programVersion())},
                         {"left", sideToJson(comparison.left, comparison.leftSide)},
                         {"right", sideToJson(comparison.right, comparison.rightSide)},
                         {"ancestor", comparison.ancestor},
                         {"metrics", std::move(metrics)},
                         {"measured", nullptr},
                         {"change", OrderedJson(changeToJson(
                                        textChange(comparison.leftSide.texts, comparison.rightSide.texts)))}};
    if (const ExercisedFiles files = unexercisedOf(comparison); !files.empty())
        document["unexercised"] = toJson(files);
    if (comparison.ratio)
        document["measured"] = OrderedJson{{"timeRatio", comparison.ratio->value},
                                           {"low", comparison.ratio->low},
                                           {"high", comparison.ratio->high},
                                           {"isNoise", comparison.ratio->isNoise()},
                                           {"way", toJson(wayText(comparison.ratio->way))}};
    return document;
}

} // namespace

int runCompare(const CommandContext &context) {
    const Result<Workspace> workspace =
        Workspace::open(QDir::current().absoluteFilePath(context.line.path), context.folders);
    if (!workspace.hasValue())
        return refuse(context, workspace.message());
    const Result<IterationComparison> comparison =
        compareIterations(workspace.value().state, context.line.against, context.line.iteration);
    if (!comparison.hasValue())
        return refuse(context, comparison.message());
    print(STDOUT_FILENO,
          context.line.asksJson
              ? QString::fromUtf8(dumpJson(documentOf(comparison.value()), 2)) + QLatin1Char('\n')
              : textOf(comparison.value(), context.output));
    return 0;
}

} // namespace warpwright
