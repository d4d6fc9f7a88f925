// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/lessons/lesson_story.h"

namespace warpwright {

/// How a step of a lesson is marked: icon and colour; the word is outcomeWords().
struct StepLook {
    const char *icon;
    const char *token;
};
[[nodiscard]] StepLook lookOf(const LessonStep &step);

} // namespace warpwright
