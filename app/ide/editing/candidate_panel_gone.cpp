// SPDX-License-Identifier: GPL-3.0-or-later
// Tabs of files that another program has taken away: how they look, and how they go.
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/files/beside_view.h"
#include "widgets/editor/code_editor.h"
#include "widgets/frame/tab_strip.h"

namespace warpwright {

void CandidatePanel::markTab(const QString &path) {
    const auto index = static_cast<int>(m_paths.indexOf(path));
    const Open open = m_open.value(path);
    if (m_bench.shown().isEarlier || index < 0 || index >= tabs()->count() || open.file == nullptr)
        return;
    if (!open.conflict.isEmpty())
        tabs()->setTabMark(index, QStringLiteral("build-failed"), "verdict.buildFailed",
                           tr("changed on disk too, waits for an answer"));
    else if (open.file->isGone())
        tabs()->setTabMark(index, QStringLiteral("trash"), "verdict.inconclusive",
                           tr("deleted on disk: its text is still here, saving writes the file anew"));
    else
        tabs()->setTabMark(index, QString());
}

void CandidatePanel::closeCurrent() {
    if (m_beside != nullptr && focusedEditor() == m_beside->editor())
        return closeBeside();
    const QString file = currentFile();
    const Open open = m_open.value(currentPath());
    QString why;
    if (file.isEmpty())
        why = tr("No file of the candidate is open.");
    else if (m_bench.shown().isEarlier)
        why = tr("The tabs are the files of the text that is shown, all of them.");
    else if (proposedEditor(file) != nullptr)
        why = tr("\"%1\" is proposed: reject it, and its tab goes.").arg(file);
    else if (open.file == nullptr || !open.file->isGone())
        why = tr("\"%1\" belongs to the candidate: its tab stays as long as the file is on the disk. Delete "
                 "the file to be rid of both.")
                  .arg(file);
    else if (open.file->isDirty())
        why = tr("\"%1\" was deleted on disk, and what you changed in it is not saved. Save it, and the file "
                 "is written anew; or undo your changes first.")
                  .arg(file);
    if (!why.isEmpty())
        return emit noticed(tr("Not closed"), why, false);
    m_bench.refreshFiles();
}

} // namespace warpwright
