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
/// «predicted 3.33× (2.70–4.00×), measured 2.27×: outside; predicted from 34.1 ms, its own check; measured
/// side by side from 16.8 ms»; empty: nothing was predicted, or nothing that may be seen was measured.
[[nodiscard]] QString hitWords(const LessonStep &step);
/// «53.0 ms, 2.13×: undecided, for the interval is 1.97–2.90×»: what `by` has bet, and what came of it once
/// that may be seen. Empty: nothing was bet.
[[nodiscard]] QString betWords(const LessonStep &step, const QString &by, const TimeScale &scale);
/// «43.1 ms»; empty: nothing was predicted, or the person bets first.
[[nodiscard]] QString expectedWords(const LessonStep &step, const TimeScale &scale);
/// What a recording of this lesson came to, and where: «Recorded on AMD EPYC: 143.8 ms at the start, 6.08 ms
/// at the best, 23.7 times as fast. Yours may differ.» Empty: it is not recorded.
[[nodiscard]] QString promiseWords(const std::vector<Recording> &recordings, const QString &lesson);
/// «step 3 of 7», «all 7 steps decided», «7 steps»
[[nodiscard]] QString placeWords(const LessonStory &story);

} // namespace warpwright
