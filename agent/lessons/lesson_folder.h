// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/workspace/lessons.h"

namespace warpwright {

/// A lesson that somebody has written, ready to be followed: start/model.py, a candidate, lesson.json as far
/// as it is there, and steps each of which fits the text that those before it make. An error says of
/// all files that are in the way which they are, why, and what to do, a line each behind the first. Whether
/// the steps compile is for the check to say.
[[nodiscard]] Result<Lesson> openLessonFolder(const QString &folder);

/// `name`: of a lesson that ships, else a folder. An error lists those there are.
[[nodiscard]] Result<Lesson> lessonByName(const QString &resources, const QString &name);

} // namespace warpwright
