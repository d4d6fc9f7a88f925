// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/history/show_command.h"

#include "agent/interface/prediction.h"
#include "agent/record/event_summary.h"
#include "agent/record/iteration_story.h"
#include "agent/review/text_change.h"
#include "app/cli/history/iteration_document.h"
#include "app/cli/history/iteration_source.h"
#include "app/cli/options/number_words.h"
#include "app/cli/options/shared_options.h"
#include "app/cli/process/version_text.h"
#include "toolchain/base/figures.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/evaluation/time_ratio.h"
#include "toolchain/report/diff_text.h"
#include "toolchain/report/evaluation_report.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <unistd.h>

namespace warpwright {
namespace {

struct ShowOptions {
    QString path; ///< a workspace, or the record of a run
    int iteration = 0;
    bool wantsStat = false; ///< --stat: a line for each file in place of the diff
    QStringList files;      ///< --file: only of files whose path holds one of these; empty: of all
    bool asksJson = false;

    void addTo(CLI::App &app);
};

void ShowOptions::addTo(CLI::App &app) {
    addText(app, "DIR", path, "A workspace, or the record of a run")->required()->type_name("");
    app.add_option("ITERATION", iteration, "Its number, as log lists it")
        ->required()
        ->check(iterationNumber())
        ->type_name("");
    app.add_flag("--stat", wantsStat, "In place of the diff one line for each file that changed");
    addTexts(app, "--file", files, "Only files whose path holds this; may be repeated")
        ->type_name("TEXT")
        ->expected(1);
    app.add_flag("--json", asksJson, "Print all of it as JSON (warpwright.show/1)");
}

/// All that is known of one iteration.
struct Shown {
    IterationRecord record;
    std::optional<IterationRecord> parent;
    TextComparison comparison;
    std::optional<Evaluation> evaluation;
    bool hasDocument = false; ///< of its check there is a file, which may not be readable
    std::optional<IterationStory> story;
    std::optional<TimeRatio> measured;
    QString whyNoDifference; ///< of it
};

/// What people and policies did, of all that happened.
bool isDecision(const TrajectoryEvent &event) {
    static const QStringList kinds{
        "bet",  "decision",        "decision-undone", "decision-redone",   "hand-edit", "policy",
        "step", "prompt-answered", "conflict",        "conflict-resolved", "restored"};
    return kinds.contains(event.kind);
}

std::optional<Prediction> predictionOf(const Shown &shown) {
    const TrajectoryEvent *proposal = shown.story ? shown.story->last(QStringLiteral("proposal")) : nullptr;
    if (proposal == nullptr || !proposal->body.contains("prediction"))
        return std::nullopt;
    const Prediction prediction = predictionFromJson(proposal->body["prediction"]);
    return prediction == Prediction() ? std::nullopt : std::optional(prediction);
}

QString range(double value, std::optional<double> low, std::optional<double> high) {
    const QString text = percentText(value);
    return low && high ? QStringLiteral("%1 (%2–%3)").arg(text, percentText(*low), percentText(*high)) : text;
}

QString ledgerText(const Shown &shown) {
    QString text;
    if (const std::optional<Prediction> prediction = predictionOf(shown)) {
        const QString figure =
            prediction->timeRatio ? QStringLiteral("%1 of the time")
                                        .arg(range(*prediction->timeRatio, prediction->low, prediction->high))
                                  : QString();
        text += QStringLiteral("  expected: %1\n")
                    .arg(printable(figure.isEmpty() ? prediction->words
                                   : prediction->words.isEmpty()
                                       ? figure
                                       : figure + QStringLiteral(", «%1»").arg(prediction->words)));
    }
    if (shown.measured)
        text += QStringLiteral("  measured: %1 of the time of iteration %2%3\n")
                    .arg(range(shown.measured->value, shown.measured->low, shown.measured->high))
                    .arg(shown.record.iteration.parent)
                    .arg(shown.whyNoDifference.isEmpty() ? QString()
                                                         : QStringLiteral("; ") + shown.whyNoDifference);
    return text.isEmpty() ? text : QStringLiteral("Prediction and measurement\n") + text;
}

QString storyText(const Shown &shown, const Terminal &terminal) {
    if (!shown.story)
        return {};
    QString text;
    if (const TrajectoryEvent *proposal = shown.story->last(QStringLiteral("proposal"))) {
        text += QStringLiteral("  %1\n").arg(printable(eventSummary(*proposal)));
        if (const QString reason = proposal->text("reason"); !reason.isEmpty())
            text += QStringLiteral("    %1\n").arg(wrapped(printable(reason), terminal.columns - 4, 4));
    }
    for (const TrajectoryEvent &event : shown.story->events)
        if (isDecision(event))
            text += QStringLiteral("  %1\n").arg(printable(eventSummary(event)));
    return text.isEmpty() ? text
                          : inked(terminal, Ink::Strong, QStringLiteral("Who decided what")) +
                                QStringLiteral(" (run %1, events %2–%3)\n")
                                    .arg(shown.story->run)
                                    .arg(shown.story->step.first)
                                    .arg(shown.story->step.last) +
                                text;
}

/// What is meant, and the code that binds kernels to Python, which everybody writes alike, last.
TextComparison inReadingOrder(TextComparison comparison, const ShowOptions &asked) {
    std::erase_if(comparison.files, [&asked](const ComparedFile &file) {
        return !asked.files.isEmpty() &&
               std::none_of(asked.files.begin(), asked.files.end(),
                            [&file](const QString &part) { return file.path.contains(part); });
    });
    std::stable_partition(comparison.files.begin(), comparison.files.end(), [](const ComparedFile &file) {
        return !file.path.section(QLatin1Char('/'), -1).contains(QLatin1String("binding"));
    });
    return comparison;
}

QString changesText(const Shown &shown, const ShowOptions &asked, const Terminal &terminal) {
    if (shown.comparison.differing().empty())
        return QStringLiteral("The text is its parent's.\n");
    const TextComparison comparison = inReadingOrder(shown.comparison, asked);
    if (comparison.differing().empty())
        return QStringLiteral("No file that changed holds \"%1\" in its path:\n")
                   .arg(asked.files.join(QStringLiteral("\" or \""))) +
               diffStat(shown.comparison, terminal);
    return asked.wantsStat ? diffStat(comparison, terminal) : diffText(comparison, terminal);
}

QString textOf(const Shown &shown, const ShowOptions &asked, const Terminal &terminal) {
    const Iteration &one = shown.record.iteration;
    QStringList parts;
    parts << QStringLiteral("%1   %2\n  by %3, %4, %5\n")
                 .arg(inked(terminal, Ink::Strong, QStringLiteral("iteration %1").arg(one.number)),
                      printable(noteOf(shown.record)), printable(authorText(one.author)),
                      one.time.toLocalTime().toString(QStringLiteral("yyyy-MM-dd hh:mm:ss")),
                      one.parent > 0 ? QStringLiteral("from iteration %1").arg(one.parent)
                                     : QStringLiteral("from nothing"));
    parts << changesText(shown, asked, terminal);
    for (const QString &part : {storyText(shown, terminal), ledgerText(shown)})
        if (!part.isEmpty())
            parts << part;
    if (shown.evaluation) {
        for (const QString &part :
             {stagesText(*shown.evaluation, terminal), timesText(*shown.evaluation, terminal),
              doubtsText(*shown.evaluation, terminal), verdictText(*shown.evaluation, terminal)})
            if (!part.isEmpty())
                parts << part;
    } else {
        const QString verdict = verdictWord(shown.record.latest);
        parts << (shown.record.latest
                      ? QStringLiteral("%1 %2 (%3)\n")
                            .arg(verdict, speedUpWords(shown.record.latest),
                                 shown.hasDocument ? QStringLiteral("its document cannot be read")
                                                   : QStringLiteral("only the summary of its check was kept"))
                      : verdict + QLatin1Char('\n'));
    }
    return parts.join(QLatin1Char('\n'));
}

OrderedJson documentOf(const Shown &shown, const TextChange &change) {
    OrderedJson document{{"schema", "warpwright.show/1"},
                         {"program", toJson(programVersion())},
                         {"iteration", iterationToJson(shown.record)},
                         {"change", OrderedJson(changeToJson(change))},
                         {"prediction", nullptr},
                         {"measured", nullptr},
                         {"run", nullptr},
                         {"events", OrderedJson::array()}};
    if (const std::optional<Prediction> prediction = predictionOf(shown))
        document["prediction"] = OrderedJson(predictionToJson(*prediction));
    if (shown.measured)
        document["measured"] = ratioToJson(*shown.measured, shown.whyNoDifference);
    if (shown.story) {
        document["run"] = toJson(shown.story->run);
        for (const TrajectoryEvent &event : shown.story->events) {
            OrderedJson line{{"n", event.number},
                             {"at", toJson(event.at.toUTC().toString(Qt::ISODateWithMs))},
                             {"kind", toJson(event.kind)},
                             {"summary", toJson(eventSummary(event))}};
            for (const auto &[field, value] : event.body.items())
                line[field] = OrderedJson(value);
            document["events"].push_back(std::move(line));
        }
    }
    return document;
}

int runShow(const CommandContext &context, const ShowOptions &asked) {
    const int wanted = asked.iteration;
    const Result<IterationSource> opened = iterationSource(asked.path, context.folders, {wanted});
    if (!opened.hasValue())
        return refuse(context, opened.message());
    const IterationSource &source = opened.value();
    const IterationRecord *record = source.record(wanted);
    if (record == nullptr)
        return refuse(context,
                      QStringLiteral("There is no iteration %1 in \"%2\": wright log lists those there are.")
                          .arg(wanted)
                          .arg(source.place));
    if (source.isRun() && source.workspace)
        print(STDERR_FILENO,
              QStringLiteral("Iteration %1 is one of the run %2; the history has none of that number.\n")
                  .arg(wanted)
                  .arg(source.run));
    Shown shown;
    shown.record = *record;
    if (const IterationRecord *parent = source.record(record->iteration.parent))
        shown.parent = *parent;
    const Result<CandidateTexts> after = source.textsOf(record->iteration.number);
    const Result<CandidateTexts> before =
        shown.parent ? source.textsOf(shown.parent->iteration.number) : Result<CandidateTexts>::ok({});
    if (!after.hasValue() || !before.hasValue())
        return refuse(context, after.hasValue() ? before.message() : after.message());
    shown.comparison = compareTexts(before.value(), after.value());
    if (shown.parent && shown.parent->latest && record->latest) {
        shown.measured = timeRatio(*shown.parent->latest, *record->latest);
        shown.whyNoDifference = whyNoDifference(*shown.parent->latest, *record->latest);
    }
    if (!record->evaluations.isEmpty()) {
        const EvaluationStore store(source.state);
        if (const Result<Evaluation> read = store.load(record->evaluations.back()); read.hasValue())
            shown.evaluation = read.value();
        else
            shown.hasDocument = store.ids().contains(record->evaluations.back());
    }
    Result<RunIndex> indexed = RunIndex::open(source.state);
    if (!indexed.hasValue())
        return refuse(context, indexed.message());
    RunIndex index = std::move(indexed).value();
    const Result<std::optional<IterationStory>> story =
        storyOf(index, source.state, record->iteration.number);
    if (!story.hasValue())
        return refuse(context, story.message());
    // A history that was begun anew counts from 1 again: another run may have made one of that number.
    if (!source.isRun() || (story.value() && story.value()->run == source.run))
        shown.story = story.value();

    if (context.asksJson)
        print(STDOUT_FILENO,
              QString::fromUtf8(dumpJson(documentOf(shown, textChange(before.value(), after.value())), 2)) +
                  QLatin1Char('\n'));
    else
        print(STDOUT_FILENO, textOf(shown, asked, context.output));
    return 0;
}

} // namespace

Command showCommand() {
    return commandWith(
        "show",
        "One iteration: what changed since its parent, who decided it, what was expected and measured",
        runShow);
}

} // namespace warpwright
