// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/history/compare_command.h"

#include "agent/record/iteration_comparison.h"
#include "agent/review/text_change.h"
#include "app/cli/history/compare_options.h"
#include "app/cli/history/iteration_document.h"
#include "app/cli/history/iteration_source.h"
#include "app/cli/kernels/listing_line.h"
#include "app/cli/process/version_text.h"
#include "toolchain/base/figures.h"
#include "toolchain/comparison/state_comparison_json.h"
#include "toolchain/evaluation/evaluation_json.h"
#include "toolchain/evaluation/summary_evaluation.h"
#include "toolchain/evaluation/unexercised.h"
#include "toolchain/findings/findings.h"
#include "toolchain/history/iteration_words.h"
#include "toolchain/process/processes_below.h"
#include "toolchain/report/comparison_report.h"
#include "toolchain/report/diff_text.h"

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

// Of a comparison that has a ratio; what moved the machine stands above, too, among what limits all of it.
QString doubtOf(const IterationComparison &comparison) {
    return whyNoDifference(*comparison.left.latest, *comparison.right.latest);
}

// Between the iterations alone: where both come from, the ratio of their times, what did not run.
QString kinText(const IterationComparison &comparison) {
    QString text = comparison.ancestor == 0
                       ? QStringLiteral("  nothing in common before them\n")
                       : QStringLiteral("  both from iteration %1\n").arg(comparison.ancestor);
    if (comparison.ratio) {
        const QString why = doubtOf(comparison);
        text += QStringLiteral("  ") +
                wrapped(QStringLiteral("%1 takes %2 (%3–%4) of the time of %5, %6%7")
                            .arg(titleOf(comparison.right), percentText(comparison.ratio->value),
                                 percentText(comparison.ratio->low), percentText(comparison.ratio->high),
                                 titleOf(comparison.left), wayText(comparison.ratio->way),
                                 why.isEmpty() ? QString() : QStringLiteral("; ") + why),
                        96, 2) +
                QLatin1Char('\n');
    }
    if (const QString sentence = unexercisedText(comparison); !sentence.isEmpty())
        text += QStringLiteral("  ") + wrapped(printable(sentence), 96, 2) + QLatin1Char('\n');
    return text;
}

QString changesText(const StateComparison &comparison, const Terminal &terminal) {
    if (comparison.left.choice.isArm() || comparison.right.choice.isArm())
        return {};
    const QString changes = diffText(comparison.text, terminal);
    return QLatin1Char('\n') + (changes.isEmpty() ? QStringLiteral("The texts are the same.\n") : changes);
}

OrderedJson sideToJson(const IterationRecord &record, const ComparedSide &side) {
    OrderedJson json = iterationToJson(record);
    json["kernels"] = OrderedJson::array();
    if (side.evaluation)
        for (const KernelResources &kernel : side.evaluation->compile.kernels)
            json["kernels"].push_back(kernelToJson(kernel));
    return json;
}

OrderedJson iterationsDocument(const IterationComparison &comparison) {
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
        document["measured"] = ratioToJson(*comparison.ratio, doubtOf(comparison));
    return document;
}

// The fields of two iterations stand in every document, empty where a side is none.
OrderedJson documentOf(const StateComparison &comparison, const std::optional<IterationComparison> &kin) {
    OrderedJson document = kin ? iterationsDocument(*kin)
                               : OrderedJson{{"schema", "warpwright.compare/1"},
                                             {"program", toJson(programVersion())},
                                             {"left", nullptr},
                                             {"right", nullptr},
                                             {"ancestor", 0},
                                             {"metrics", OrderedJson::array()},
                                             {"measured", nullptr},
                                             {"change", nullptr}};
    document.update(toJson(comparison));
    return document;
}

/// False: the person interrupted it.
bool listSide(const CommandContext &context, const QString &path, ComparedState &state,
              QStringList &missing) {
    if (state.choice.isArm())
        return true;
    FindingInput read;
    QStringList troubles;
    const bool isWhole = addListing(context, {path, state.choice.iteration, {}}, read, troubles);
    for (const QString &trouble : troubles)
        missing << QStringLiteral("%1: %2").arg(state.side.title, trouble);
    if (read.inspection)
        addListing(state, std::make_shared<const Inspection>(std::move(*read.inspection)));
    return isWhole;
}

bool isIteration(const ComparisonChoice &choice) {
    return choice.kind == ComparisonChoice::Kind::Iteration;
}

/// Of an iteration in a run's record. Its counters were not recorded, and its text is not compiled here.
ComparedState recordedState(const IterationRecord &record, const ComparedSide &side,
                            const IterationSource &source) {
    ComparedState state;
    state.choice = ComparisonChoice::ofIteration(record.iteration.number);
    state.side = side;
    if (!side.evaluation && record.latest)
        state.side.evaluation = evaluationOfSummary(*record.latest);
    state.textHash = record.iteration.textHash;
    state.path = source.place;
    FindingInput input;
    input.texts = side.texts;
    input.evaluation = state.side.evaluation;
    state.findings = findingsOf(input);
    return state;
}

void tellSummary(ComparisonHead &head, const EvaluationSummary &summary) {
    if (head.device.isEmpty())
        head.device = summary.device;
    if (!head.time.isEmpty() || !summary.candidate)
        return;
    const ArmTiming &time = *summary.candidate;
    head.time = timeScaleOf(time.medianMicroseconds, time.lowMicroseconds, time.highMicroseconds)
                    .withSpread(time.medianMicroseconds, time.lowMicroseconds, time.highMicroseconds);
}

/// `kin`: its sides are `left` and `right`; a baseline is beside the one on the other side.
StateComparison recordedStates(const IterationComparison &kin, const IterationSource &source,
                               const CompareOptions &asked) {
    ComparedState left = recordedState(kin.left, kin.leftSide, source);
    ComparedState right = recordedState(kin.right, kin.rightSide, source);
    if (asked.left.isArm())
        left = armBeside(right, asked.left);
    if (asked.right.isArm())
        right = armBeside(left, asked.right);
    StateComparison comparison = compareStates(left, right);
    // No command brings what a run did not record.
    std::erase_if(comparison.missing,
                  [](const MissingPart &part) { return part.act != MissingPart::Act::None; });
    comparison.missing.push_back(
        {MissingPart::Act::None,
         QStringLiteral(
             "These are iterations of the run %1: the texts and checks that it recorded are compared; "
             "it recorded no counters and no listings")
             .arg(source.run),
         {}});
    const auto tell = [&comparison](ComparisonHead &head, const IterationRecord &record,
                                    const ComparedSide &side) {
        if (head.choice.isArm() || !record.latest || side.evaluation)
            return;
        tellSummary(head, *record.latest);
        comparison.missing.push_back({MissingPart::Act::None,
                                      QStringLiteral("iteration %1: only the summary of its check was kept: "
                                                     "%2 %3")
                                          .arg(QString::number(record.iteration.number),
                                               verdictWord(record.latest), speedUpWords(record.latest))
                                          .trimmed(),
                                      {}});
    };
    tell(comparison.left, kin.left, kin.leftSide);
    tell(comparison.right, kin.right, kin.rightSide);
    return comparison;
}

int printComparison(const CommandContext &context, bool showsAll, const StateComparison &comparison,
                    const std::optional<IterationComparison> &kin) {
    print(STDOUT_FILENO, context.asksJson
                             ? QString::fromUtf8(dumpJson(documentOf(comparison, kin), 2)) + QLatin1Char('\n')
                             : comparisonText(comparison, context.output, showsAll) +
                                   (kin ? QLatin1Char('\n') + kinText(*kin) : QString()) +
                                   changesText(comparison, context.output));
    return 0;
}

int compareRecorded(const CommandContext &context, const CompareOptions &asked,
                    const IterationSource &source) {
    if (asked.wantsSass)
        return refuse(context, QStringLiteral("The texts of a run's record are not compiled: --sass needs a "
                                              "workspace whose history has both iterations."));
    // A baseline is held against the iteration that it was timed beside.
    const int left = isIteration(asked.left) ? asked.left.iteration : asked.right.iteration;
    const int right = isIteration(asked.right) ? asked.right.iteration : asked.left.iteration;
    Result<IterationComparison> compared =
        compareRunIterations({source.records, source.texts}, source.state, left, right);
    if (!compared.hasValue())
        return refuse(context, compared.message());
    const bool areKin = isIteration(asked.left) && isIteration(asked.right);
    return printComparison(context, asked.showsAll, recordedStates(compared.value(), source, asked),
                           areKin ? std::optional(compared.value()) : std::nullopt);
}

int runCompare(const CommandContext &context, const CompareOptions &asked) {
    adoptOrphans();
    std::vector<int> wanted;
    for (const ComparisonChoice *choice : {&asked.left, &asked.right})
        if (isIteration(*choice))
            wanted.push_back(choice->iteration);
    const Result<IterationSource> found = iterationSource(asked.path, context.folders, wanted);
    if (!found.hasValue())
        return refuse(context, found.message());
    const auto isRecorded = [](const ComparisonChoice &choice) {
        return isIteration(choice) || choice.isArm();
    };
    if (found.value().isRun() && !wanted.empty() && isRecorded(asked.left) && isRecorded(asked.right))
        return compareRecorded(context, asked, found.value());
    if (found.value().isRun())
        return refuse(context,
                      QStringLiteral("An iteration that the run %1 recorded can be compared with another "
                                     "one of it, or with a baseline of its check (eager, compile): name one "
                                     "iteration at least, and not the text on disk.")
                          .arg(found.value().run));
    const Workspace &workspace = *found.value().workspace;
    std::optional<IterationComparison> kin;
    if (wanted.size() == 2) {
        Result<IterationComparison> compared =
            compareIterations(workspace.state, asked.left.iteration, asked.right.iteration);
        if (!compared.hasValue())
            return refuse(context, compared.message());
        kin = std::move(compared).value();
    }
    Result<std::pair<ComparedState, ComparedState>> states = readStates(workspace, asked.left, asked.right);
    if (!states.hasValue())
        return refuse(context, states.message());
    auto [left, right] = std::move(states).value();
    QStringList troubles;
    if (asked.wantsSass &&
        !(listSide(context, asked.path, left, troubles) && listSide(context, asked.path, right, troubles)))
        return exitCodeFor(Verdict::Cancelled);
    StateComparison comparison = compareStates(left, right);
    for (const QString &trouble : troubles)
        comparison.missing.push_back({MissingPart::Act::None, trouble, {}});
    return printComparison(context, asked.showsAll, comparison, kin);
}

} // namespace

Command compareCommand() {
    return commandWith(
        "compare",
        "Two iterations, or a text and a baseline, beside each other: verdict, times, findings, "
        "resources, SASS, counters, and what of the text differs; differences first",
        runCompare);
}

} // namespace warpwright
