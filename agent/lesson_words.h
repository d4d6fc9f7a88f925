// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/lesson_story.h"
#include "agent/recordings.h"
#include "toolchain/figures.h"
#include "toolchain/lessons.h"

/// A lesson in words, the same in terminal and window.
namespace warpwright {

/// «kept», «kept, slower», «kept, time undecided», «kept in part», «kept as a branch», «left out», «left out:
/// wrong», «waits for you», «stopped here»; empty: to come.
[[nodiscard]] QString outcomeWords(const LessonStep &step);
/// One unit for all times of the lesson: that of the last one measured, which mostly is the least.
[[nodiscard]] TimeScale scaleOf(const LessonStory &story);
/// «41.1 ± 1.5 ms»; empty: not measured, or the person bets first.
[[nodiscard]] QString measuredWords(const LessonStep &step, const TimeScale &scale);
/// What was kept of a step in part is another text than the proposal that was measured: it was measured as
/// the base of the step after it. Empty: it was not, or the step was not kept in part.
[[nodiscard]] std::optional<ArmTiming> timeOfPart(const LessonStory &story, const LessonStep &step);
/// The step with the time of the text that was kept: the same in list, table and picture.
[[nodiscard]] LessonStep withKeptTime(const LessonStory &story, LessonStep step);
/// «predicted 3.33× (2.70–4.00×), measured 2.27×: outside; predicted from 34.1 ms, its own check; measured
/// side by side from 16.8 ms»; empty: nothing was predicted, or nothing that may be seen was measured.
[[nodiscard]] QString hitWords(const LessonStep &step);
/// «53.0 ms, 2.13×: undecided, for the interval is 1.97–2.90×»: what `by` has bet, and what came of it once
/// that may be seen. Empty: nothing was bet.
[[nodiscard]] QString betWords(const LessonStep &step, const QString &by, const TimeScale &scale);
/// «43.1 ms»; empty: nothing was predicted, or the person bets first.
[[nodiscard]] QString expectedWords(const LessonStep &step, const TimeScale &scale);
/// What a recording of this lesson came to, and where: «Recorded on AMD EPYC: 143.8 ms at the start, 13.44 ms
/// at the best that passed (10.23 ms was inconclusive), 10.7× as fast. Yours may differ.» Empty: it is not
/// recorded.
[[nodiscard]] QString promiseWords(const std::vector<Recording> &recordings, const QString &lesson);
/// «step 3 of 7», «all 7 steps decided», «7 steps»
[[nodiscard]] QString placeWords(const LessonStory &story);

} // namespace warpwright
