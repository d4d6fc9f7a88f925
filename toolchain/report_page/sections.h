// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/measured_figures.h"
#include "toolchain/report_page/markup.h"
#include "toolchain/report_page/report_input.h"
#include "toolchain/report_page/shown_iterations.h"

/// The parts of a report page, in their order. Each writes its own `section`, also where it has nothing to
/// show: then it says why, and what would bring it.
namespace warpwright {

/// What several parts need, found once.
struct ReportedText {
    const ReportInput &input;
    std::optional<MeasuredFigures> figures; ///< of the check; none: there is no check of this text
    ShownIterations shown;

    [[nodiscard]] const std::optional<Evaluation> &evaluation() const { return input.known.evaluation; }
};

/// The task, its reference, the device.
void writeAsked(Markup &page, const ReportedText &of);
/// A lesson's steps, their times and what they taught; nothing where the workspace is of none.
void writeLesson(Markup &page, const ReportedText &of);
/// The verdict with its reasons, how far its times are to be trusted, its doubts; stages and errors.
void writeVerdict(Markup &page, const ReportedText &of);
/// A call of each arm.
void writeTimes(Markup &page, const ReportedText &of);
/// The iterations, and what was proposed in the runs, by whom, and who decided.
void writeTried(Markup &page, const ReportedText &of);
/// A run of these, with its proposals; of the one that the page is of, with their changes.
void writeRun(Markup &page, const ReportedRun &run);
void writeRoofline(Markup &page, const ReportedText &of);
void writeTimeline(Markup &page, const ReportedText &of);
void writeFindings(Markup &page, const ReportedText &of);
/// Launch by launch: figures, what warps waited for, hottest lines and instructions.
void writeCounters(Markup &page, const ReportedText &of);
/// The candidate's files; beside each line its share of the samples, where they are of this very text.
void writeSources(Markup &page, const ReportedText &of);
void writeEnvironment(Markup &page, const ReportedText &of);

/// Head of a part.
void beginSection(Markup &page, const char *id, const QString &title);
/// A table's head; `numeric`: columns whose numbers stand at the right.
void beginTable(Markup &page, const QStringList &heads, std::initializer_list<int> numeric,
                bool isSortable = false);
void endTable(Markup &page);
/// A cell; of a number with the value that a click on its head sorts by.
void addNumber(Markup &page, const QString &text, std::optional<double> value = {});
/// A row of a list of facts; of nothing: none.
void addFact(Markup &page, const QString &name, const QString &value);
/// «✓ pass», with the class of its colour.
void addVerdict(Markup &page, const char *tag, const std::optional<EvaluationSummary> &summary);
void addVerdict(Markup &page, const char *tag, Verdict verdict, const QString &word,
                const char *kind = "word");
/// Lines of a text with their numbers; `lines` at most.
void addCode(Markup &page, const QByteArray &text, qsizetype lines,
             const std::map<int, std::pair<double, QString>> *heat = nullptr);

} // namespace warpwright
