// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/lessons/lesson_story.h"
#include "app/ide/lesson/readme_images.h"
#include "profiler_views/lesson/lesson_times_model.h"
#include "toolchain/base/data_folders.h"
#include "toolchain/workspace/lessons.h"
#include "toolchain/workspace/workspace.h"

namespace warpwright {

/// All that a lesson's page tells.
struct LessonContents {
    QString workspace; ///< its folder
    Lesson lesson;
    LessonStory story;
    QString promise; ///< what its recording came to, and where, once all is decided; empty: nothing is told
    QString readme;  ///< Markdown; names of files that are there lead to them
    ReadmeImages images;             ///< of `readme`
    bool isRecording = false;        ///< somebody else's run, to be watched
    std::optional<qint64> elsewhere; ///< another process works on its run; 0: an unknown one

    /// All steps were decided: the closing picture is whole.
    [[nodiscard]] bool isFinished() const { return story.hasBegun() && story.at() == 0; }
};

/// Of a workspace that was made of a lesson, or is the copy of a lesson's recording; empty: of neither. Reads
/// whole trajectories: not for a window's thread.
[[nodiscard]] std::optional<LessonContents> lessonContents(const Workspace &workspace,
                                                           const DataFolders &folders);

/// `text` with each `name` in code that is a file below `folder` as a link to it.
[[nodiscard]] QString withLinkedFiles(const QString &text, const QString &folder);

/// Who bets in the window, as a run's record names them.
[[nodiscard]] QString whoBets();

/// The closing picture's values.
[[nodiscard]] LessonTimes lessonTimes(const LessonContents &contents);

} // namespace warpwright
