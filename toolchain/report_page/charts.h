// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/roofline.h"
#include "toolchain/evaluation/measured_figures.h"
#include "toolchain/failure_map/failure_map.h"
#include "toolchain/history/iteration.h"
#include "toolchain/report_page/markup.h"
#include "toolchain/report_page/shown_iterations.h"
#include "toolchain/timeline/timeline.h"

/// Drawings of a report page, as SVG in its text. Each shows the numbers that the window's view of that name
/// shows, from the same values; each mark has a title with the exact ones. Nothing is told by colour alone.
namespace warpwright {

/// A call of each arm as a bar from zero, with its 95 % interval, and how much faster the candidate is.
void drawSpeedUp(Markup &page, const MeasuredFigures &figures);

/// The time of a call of each shown iteration, the best so far as a step line, those without a time on a
/// rail above. `own`: the number of the iteration that is marked. `figures`: of the shown text, for the lines
/// of its baselines. An inconclusive check's time is a hollow, dashed point. Where none has a time nothing is
/// drawn, for an axis without numbers says nothing.
void drawHistory(Markup &page, const std::vector<IterationRecord> &records, const ShownIterations &shown,
                 int own, const MeasuredFigures *figures);

/// Rates over intensity, both logarithmic. Draws nothing where there is no ceiling or no point.
void drawRoofline(Markup &page, const Roofline &roofline);

/// The call of each arm that could be traced, lanes one above the other on one scale.
void drawTimeline(Markup &page, const Timeline &timeline);

/// Where a result is wrong, in the two dimensions in which what is wrong has the most form: tiles of several
/// blocks by their worst error, and in words what they have in common.
void drawFailureMap(Markup &page, const OutputFailure &output, int round);

/// What the warps of one launch waited for, as shares of its samples. Nothing where none were taken.
void drawStalls(Markup &page, const KernelCounters &kernel);

/// A drawing of this size; where the page is narrower it keeps letters that can be read, and is scrolled.
void beginChart(Markup &page, double width, double height, const QString &label);
void endChart(Markup &page);

/// A name for a drawing: cut in its middle, for its end tells as much as its beginning.
[[nodiscard]] QString shortLabel(const QString &name, qsizetype most);

} // namespace warpwright
