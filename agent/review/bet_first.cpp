// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/bet_first.h"

#include "agent/lessons/lesson_story.h"
#include "agent/session/session.h"

namespace warpwright {

bool mayShowNumbers(const Session &session) {
    return !session.isResultHidden();
}

bool mayShowNumbers(const LedgerRow &row) {
    return !row.isHidden;
}

bool mayShowNumbers(const LessonStep &step) {
    return !step.isHidden;
}

} // namespace warpwright
