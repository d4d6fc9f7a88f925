// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/lesson/step_look.h"

#include "profiler_views/verdict_look.h"

namespace warpwright {

StepLook lookOf(const LessonStep &step) {
    switch (step.state) {
    case LessonStep::State::Ahead:
        return {"pending", "text.tertiary"};
    case LessonStep::State::Current:
        return {"running", "accent.text"};
    case LessonStep::State::Stopped:
        return {"pause", "text.secondary"};
    case LessonStep::State::Kept:
    case LessonStep::State::KeptInPart:
        if (step.isUndecided())
            return {"inconclusive", "verdict.inconclusive"};
        if (step.isKeptSlower())
            return {"warning", "verdict.inconclusive"};
        // Whoever keeps what was not checked, or not here, or of the whole only, has not seen it pass.
        if (!step.verdict || step.isUnexercised || *step.verdict == Verdict::NotRun ||
            step.state == LessonStep::State::KeptInPart)
            return {"accept", "text.secondary"};
        return {lookOf(*step.verdict).icon, lookOf(*step.verdict).ink};
    case LessonStep::State::Branch:
        return {"branch", "text.secondary"};
    case LessonStep::State::LeftOut:
        return {"not-run", "verdict.notRun"};
    }
    return {"pending", "text.tertiary"};
}

} // namespace warpwright
