// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/lesson/step_look.h"

namespace warpwright {

StepLook lookOf(const LessonStep &step) {
    switch (step.state) {
    case LessonStep::State::Ahead:
        return {"pending", "text.tertiary"};
    case LessonStep::State::Current:
        return {"running", "accent.text"};
    case LessonStep::State::Kept:
    case LessonStep::State::KeptInPart:
        return step.isNoise() ? StepLook{"inconclusive", "verdict.inconclusive"}
                              : StepLook{"pass", "verdict.pass"};
    case LessonStep::State::Branch:
        return {"branch", "text.secondary"};
    case LessonStep::State::LeftOut:
        return {"not-run", "verdict.notRun"};
    }
    return {"pending", "text.tertiary"};
}

} // namespace warpwright
