// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

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
/// The same looked for, and nothing changed: `tell` gets the files that hold such answers, by their paths in
/// the workspace, and whether what the editors have beyond the disk is nothing else. Not called where there
/// are none.
void findAnswers(CandidatePanel &candidate, Workbench &bench, const QString &run, QObject *receiver,
                 std::function<void(const QStringList &files, bool isAll)> tell);

} // namespace warpwright
