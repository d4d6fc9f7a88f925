// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/editing/changed_lines.h"

#include "app/ide/editing/line_edits.h"
#include "toolchain/text/line_diff.h"
#include "widgets/editor/change_marks.h"
#include "widgets/editor/code_editor.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr int mostShown = 12; ///< lines of what was there, in a tooltip

// Each with its end.
QStringList linesOf(const QString &text) {
    QStringList lines = text.split(QLatin1Char('\n'));
    for (qsizetype i = 0; i + 1 < lines.size(); ++i)
        lines[i] += QLatin1Char('\n');
    if (lines.last().isEmpty())
        lines.removeLast();
    return lines;
}

} // namespace

std::vector<ChangedRun> changedRuns(const QString &before, const QString &after) {
    const QStringList lines = linesOf(before);
    std::vector<ChangedRun> runs;
    for (const ReplacedLines &run : replacedLines(before.toUtf8(), after.toUtf8()))
        runs.push_back(
            {run.newStart + 1, run.newCount, lines.mid(run.oldStart, run.oldCount).join(QString())});
    return runs;
}

QString withoutChange(const QString &after, const ChangedRun &run) {
    const QStringList lines = linesOf(after);
    QString text = lines.mid(0, run.line - 1).join(QString());
    if (!text.isEmpty() && !text.endsWith(QLatin1Char('\n')) && !run.old.isEmpty())
        text += QLatin1Char('\n');
    text += run.old;
    const QString rest = lines.mid(run.line - 1 + run.count).join(QString());
    if (!rest.isEmpty() && !text.isEmpty() && !text.endsWith(QLatin1Char('\n')))
        text += QLatin1Char('\n');
    return text + rest;
}

const ChangedRun *runAt(const std::vector<ChangedRun> &runs, int line) {
    const auto found = std::find_if(runs.begin(), runs.end(), [line](const ChangedRun &run) {
        return line >= run.line && line < run.line + std::max(run.count, 1);
    });
    return found == runs.end() ? nullptr : &*found;
}

int nextChange(const std::vector<ChangedRun> &runs, int line, int by) {
    if (runs.empty())
        return 0;
    if (by > 0) {
        for (const ChangedRun &run : runs)
            if (run.line > line)
                return run.line;
        return runs.front().line;
    }
    for (auto run = runs.rbegin(); run != runs.rend(); ++run)
        if (run->line < line)
            return run->line;
    return runs.back().line;
}

ChangedLines::ChangedLines(CodeEditor &editor) : QObject(&editor), m_editor(editor) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(150);
    connect(&m_timer, &QTimer::timeout, this, &ChangedLines::compare);
    connect(&editor, &CodeEditor::edited, this, [this] {
        ++m_revision;
        follow();
    });
    editor.decorator<ChangeMarks>().setWas([this](int line) { return was(line); });
}

void ChangedLines::follow() {
    if (!(m_isAgainstHead ? m_head : m_base).isNull())
        m_timer.start();
}

void ChangedLines::setBase(const QString &text) {
    m_base = text;
    if (!m_isAgainstHead)
        compare();
}

void ChangedLines::compareWithHead(const QString &text) {
    if (std::exchange(m_isAgainstHead, true) && m_head == text && m_head.isNull() == text.isNull())
        return;
    m_head = text;
    compare();
}

void ChangedLines::compareWithBase() {
    if (std::exchange(m_isAgainstHead, false))
        compare();
}

void ChangedLines::compare() {
    const int job = m_job.next();
    const QString before = m_isAgainstHead ? m_head : m_base;
    if (before.isNull()) {
        m_runs.clear();
        m_editor.decorator<ChangeMarks>().setLines({});
        return;
    }
    inPool(
        this, [before, after = m_editor.content()] { return changedRuns(before, after); },
        [this, job](std::vector<ChangedRun> runs) {
            // While someone types the timer runs, and this answer is of a text that is gone.
            if (m_job.isStale(job) || m_timer.isActive())
                return;
            std::vector<int> lines;
            for (const ChangedRun &run : runs)
                for (int i = 0; i < std::max(run.count, 1); ++i)
                    lines.push_back(run.line + i);
            m_runs = std::move(runs);
            m_editor.decorator<ChangeMarks>().setLines(lines);
        });
}

QString ChangedLines::was(int line) const {
    const ChangedRun *run = runAt(m_runs, line);
    if (run == nullptr || m_timer.isActive())
        return {};
    if (run->old.isEmpty())
        return tr("new");
    QStringList lines = run->old.split(QLatin1Char('\n'));
    if (lines.last().isEmpty())
        lines.removeLast();
    const qsizetype more = lines.size() - mostShown;
    // As it stood, with its blanks.
    QString text = QStringLiteral("<qt>%1<pre>%2</pre>")
                       .arg(run->count == 0 ? tr("gone before this line:") : tr("was:"),
                            lines.mid(0, mostShown).join(QLatin1Char('\n')).toHtmlEscaped());
    if (more > 0)
        text += tr("… and %1 lines more").arg(more);
    text += QStringLiteral("</qt>");
    return text;
}

void ChangedLines::revertAt(int line) {
    const QString before = m_isAgainstHead ? m_head : m_base;
    if (before.isNull())
        return;
    if (!m_editor.readOnlyReason().isEmpty()) {
        emit m_editor.readOnlyRefused(m_editor.readOnlyReason());
        return;
    }
    inPool(
        this,
        [before, after = m_editor.content(), line] {
            const std::vector<ChangedRun> runs = changedRuns(before, after);
            const ChangedRun *run = runAt(runs, line);
            return run == nullptr ? std::vector<LineEdit>() : lineEdits(after, withoutChange(after, *run));
        },
        [this, revision = m_revision](const std::vector<LineEdit> &edits) {
            // Typed or locked meanwhile: who wants it asks again.
            if (revision == m_revision && m_editor.readOnlyReason().isEmpty())
                m_editor.applyEdits(edits);
        });
}

} // namespace warpwright
