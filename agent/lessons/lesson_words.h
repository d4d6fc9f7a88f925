// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/lessons/lesson_story.h"
#include "agent/record/recordings.h"
#include "toolchain/base/figures.h"
#include "toolchain/workspace/lessons.h"

/// A lesson in words, the same in terminal and window.
namespace warpwright {

/// «kept, faster», «kept, slower», «kept, time undecided», «kept in part», «kept as a branch», «left out»,
/// «left out: wrong», «waits for you», «stopped here»; empty: to come.
[[nodiscard]] QString outcomeWords(const LessonStep &step);
/// By what a decided step is said to be faster or not: «Decided side by side, both texts in one run: 591.6 µs
/// before, 1.00× as fast after (0.998–1.012×): undecided, for the interval holds 1.00×.» Where its check and
/// the one before it seem to differ, that they decide nothing. Empty: it was not compared, or the person bets
/// first.
[[nodiscard]] QString decidedWords(const LessonStep &step, const TimeScale &scale);
/// One unit for all times of the lesson: that of the last one measured, which mostly is the least.
[[nodiscard]] TimeScale scaleOf(const LessonStory &story);
/// «41.1 ± 1.5 ms»; empty: not measured, or the person bets first.
[[nodiscard]] QString measuredWords(const LessonStep &step, const TimeScale &scale);
/// What was kept of a step in part is another text than the proposal that was measured: it was measured as
/// the base of the step after it. Empty: it was not, or the step was not kept in part.
[[nodiscard]] std::optional<ArmTiming> timeOfPart(const LessonStory &story, const LessonStep &step);
/// The step with the time of the text that was kept: the same in list, table and picture.
[[nodiscard]] LessonStep withKeptTime(const LessonStory &story, LessonStep step);
/// «predicted 3.33× (2.70–4.00×), measured 2.27× side by side: outside; predicted from 34.1 ms, its own
/// check; measured side by side from 16.8 ms»; empty: nothing was predicted, or nothing that may be seen was
/// measured.
[[nodiscard]] QString hitWords(const LessonStep &step);
/// «53.0 ms, 2.13×»: what `by` has bet; once the result may be seen judgedText() of it, for the time was
/// counted from another run. Empty: nothing was bet.
[[nodiscard]] QString betWords(const LessonStep &step, const QString &by, const TimeScale &scale);
/// «43.1 ms»; empty: nothing was predicted, or the person bets first.
[[nodiscard]] QString expectedWords(const LessonStep &step, const TimeScale &scale);
/// What a recording of this lesson came to, and where, for those who have done it: «For comparison, a run of
/// it was recorded on AMD EPYC: 143.8 ms at the start, 13.44 ms at the best that passed (10.23 ms was
/// inconclusive), each in a check of its own.» Empty: it is not recorded.
[[nodiscard]] QString promiseWords(const std::vector<Recording> &recordings, const QString &lesson);
/// «step 3 of 7», «all 7 steps decided», «7 steps»
[[nodiscard]] QString placeWords(const LessonStory &story);

} // namespace warpwright
