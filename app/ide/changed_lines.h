// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/job.h"

#include <QObject>
#include <QTimer>

namespace warpwright {

class CodeEditor;

/// Marks in an editor the lines that differ from an earlier text, e.g. that of the last check; soon after
/// each change, never while it is being typed.
class ChangedLines : public QObject {
    Q_OBJECT
public:
    explicit ChangedLines(CodeEditor &editor);

    /// Null: no marks.
    void setBase(const QString &text);

private:
    void compare();

    CodeEditor &m_editor;
    QString m_base;
    QTimer m_timer;
    JobNumber m_job;
};

} // namespace warpwright
