// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/lessons/lesson_story.h"
#include "toolchain/report_page/report_input.h"
#include "toolchain/workspace/lessons.h"
#include "toolchain/workspace/workspace.h"

namespace warpwright {

/// How far somebody came in a lesson, for a page that is shown to others: numbers that a bet still hides are
/// left out.
[[nodiscard]] ReportedLesson reportedLesson(const Lesson &lesson, const LessonStory &story);

/// Of the lesson that this workspace was laid out for; none: it is of no lesson, or its steps cannot be read.
/// Reads files.
[[nodiscard]] std::optional<ReportedLesson> lessonToReport(const Workspace &workspace);

} // namespace warpwright
