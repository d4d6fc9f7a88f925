// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/job.h"

#include <QObject>
#include <QTimer>

#include <vector>

namespace warpwright {

class CodeEditor;

/// Lines that stand where others stood. Lines count from 1.
struct ChangedRun {
    int line = 1;
    int count = 0; ///< 0: lines are gone that stood before `line`
    QString old;   ///< what stood there, with line ends

    bool operator==(const ChangedRun &) const = default;
};

[[nodiscard]] std::vector<ChangedRun> changedRuns(const QString &before, const QString &after);
/// Of the changes the one that this line is in, or stands behind where it is gone; null: none.
[[nodiscard]] const ChangedRun *runAt(const std::vector<ChangedRun> &runs, int line);
/// `after` with this change taken back.
[[nodiscard]] QString withoutChange(const QString &after, const ChangedRun &run);
/// Where the next change begins, from this line on, in direction `by`; around the ends. 0: there is none.
[[nodiscard]] int nextChange(const std::vector<ChangedRun> &runs, int line, int by);

/// Marks in an editor the lines that differ from an earlier text, that of the last check or that of git's
/// HEAD; soon after each change, never while it is being typed. Says what a line was, and takes a change
/// back.
class ChangedLines : public QObject {
    Q_OBJECT
public:
    explicit ChangedLines(CodeEditor &editor);

    /// The text of the last check; null: no marks.
    void setBase(const QString &text);
    /// The text at HEAD, which it is compared with from now on; null: HEAD does not have the file.
    void compareWithHead(const QString &text);
    void compareWithBase();

    [[nodiscard]] const std::vector<ChangedRun> &runs() const { return m_runs; }
    /// As it was, at this line; one step of undo. Found anew in the text as it is now.
    void revertAt(int line);

private:
    void compare();
    void follow();
    [[nodiscard]] QString was(int line) const;

    CodeEditor &m_editor;
    QString m_base;
    QString m_head;
    bool m_isAgainstHead = false;
    std::vector<ChangedRun> m_runs;
    int m_revision = 0; ///< of the text in the editor
    QTimer m_timer;
    JobNumber m_job;
};

} // namespace warpwright
