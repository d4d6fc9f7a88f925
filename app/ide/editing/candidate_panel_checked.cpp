// SPDX-License-Identifier: GPL-3.0-or-later
// Which text was checked, and whether the candidate_panel.h's is another: in what its files hold, or in which
// files there are.
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/editing/changed_lines.h"
#include "toolchain/text/source_text.h"
#include "widgets/editor/code_editor.h"

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

constexpr int expectedForMs = 3000; // watchers of files are slow to tell

} // namespace

bool CandidatePanel::isOfRun() const {
    return m_sinceWritten.isValid() && m_sinceWritten.elapsed() < expectedForMs;
}

bool CandidatePanel::differsFromChecked() const {
    if (m_differsSinceOpened || !m_checkedAndGone.isEmpty())
        return true;
    for (auto open = m_open.cbegin(); open != m_open.cend(); ++open) {
        if (!open->file->isLoaded())
            continue;
        // What a run has just written or taken away is read a moment later; what a person typed counts.
        const bool isBehind =
            open->file->awaitsRun() || (m_notChecked.contains(open.key()) && m_bench.isLent() && isOfRun());
        if (isBehind && !open->file->isDirty())
            continue;
        // Text that was typed into a file that is gone is written by the next check.
        const bool isThere =
            !open->file->isGone() || open->file->isDirty() || (m_bench.isLent() && isOfRun());
        if (isThere == m_notChecked.contains(open.key()) ||
            (isThere && open->editor->content() != open->base))
            return true;
    }
    return false;
}

void CandidatePanel::countEdits() {
    const int more = std::exchange(m_isEdited, false) ? 1 : 0;
    const int edits = differsFromChecked() ? std::max(1, m_edits + more) : 0;
    if (edits == m_edits)
        return;
    m_edits = edits;
    emit editsChanged(edits);
}

void CandidatePanel::markChecked() {
    m_differsSinceOpened = false;
    m_checkedAndGone.clear();
    m_notChecked.clear();
    for (auto open = m_open.begin(); open != m_open.end(); ++open) {
        open->base = open->editor->content();
        open->changed->setBase(open->base);
        if (open->file->isGone())
            m_notChecked.insert(open.key());
    }
    m_edits = 0;
    emit editsChanged(0);
}

void CandidatePanel::setChecked(const CandidateTexts &texts, const CandidateTexts &before) {
    m_differsSinceOpened = false;
    m_checkedAndGone.clear();
    m_notChecked.clear();
    for (auto open = m_open.begin(); open != m_open.end(); ++open) {
        const QString file = relative(open.key());
        const auto textIn = [&file](const CandidateTexts &all) {
            const auto found = all.find(file);
            return found == all.end() ? QString() : decodeSourceText(found->second).text;
        };
        open->base = textIn(texts);
        open->changed->setBase(textIn(before));
        if (texts.find(file) == texts.end())
            m_notChecked.insert(open.key());
    }
    countEdits();
    emit editsChanged(m_edits); // also where the number is the same: it is of another text now
}

void CandidatePanel::beginChecked(bool differs) {
    m_edits = 0;
    m_differsSinceOpened = differs;
    m_checkedAndGone.clear();
    m_notChecked.clear();
}

void CandidatePanel::takeNewFiles(const QStringList &files) {
    if (m_bench.isLent() || !m_bench.workspace())
        return; // a run tells of its own ones
    for (const QString &file : files)
        if (const QString path = m_bench.workspace()->folder + QLatin1Char('/') + file;
            !isOfRun() && !m_checkedAndGone.contains(path))
            m_notChecked.insert(path);
    m_bench.refreshFiles();
}

void CandidatePanel::forgetOpen(const QString &path, const Open &gone) {
    if (!m_notChecked.remove(path) && gone.file->isLoaded())
        m_checkedAndGone.insert(path, gone.base);
}

// A file that was gone for a while is held against what it was when it was checked.
QString CandidatePanel::checkedText(const QString &path, const QString &now) {
    return m_checkedAndGone.contains(path) ? m_checkedAndGone.take(path) : now;
}

void CandidatePanel::moveChecked(const QString &from, const QString &to, Open &moved) {
    forgetOpen(from, moved);
    if (m_checkedAndGone.contains(to))
        moved.base = m_checkedAndGone.take(to);
    else
        m_notChecked.insert(to);
}

} // namespace warpwright
