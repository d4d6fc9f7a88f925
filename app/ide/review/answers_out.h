// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QObject;

namespace warpwright {

class CandidatePanel;
class Workbench;

/// Before a run goes on that was left in a review: the hunks that were accepted in it are in the editors, as
/// drafts of a window that was killed or as text that was saved. They are answers, which the review gives
/// again, and no text of the person's: they leave the editors. What was typed beside them stays. `then` is
/// called in any case, unless another workspace is open by then.
void takeAnswersOut(CandidatePanel &candidate, Workbench &bench, const QString &run, QObject *receiver,
                    std::function<void()> then);

} // namespace warpwright
