// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/changed_lines.h"

#include "app/ide/line_edits.h"

namespace warpwright {

ChangedLines::ChangedLines(CodeEditor &editor) : QObject(&editor), m_editor(editor) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(150);
    connect(&m_timer, &QTimer::timeout, this, &ChangedLines::compare);
    connect(&editor, &CodeEditor::edited, this, [this] {
        if (!m_base.isNull())
            m_timer.start();
    });
}

void ChangedLines::setBase(const QString &text) {
    m_base = text;
    compare();
}

void ChangedLines::compare() {
    const int job = m_job.next();
    if (m_base.isNull()) {
        m_editor.setChangedLines({});
        return;
    }
    inPool(
        this, [before = m_base, after = m_editor.content()] { return changedLines(before, after); },
        [this, job](const std::vector<int> &lines) {
            // While someone types the timer runs, and this answer is of a text that is gone.
            if (!m_job.isStale(job) && !m_timer.isActive())
                m_editor.setChangedLines(lines);
        });
}

} // namespace warpwright
