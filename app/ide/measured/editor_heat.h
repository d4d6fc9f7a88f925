// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/job.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

class QAction;

namespace warpwright {

class ActionButton;
class CandidatePanel;
class CodeEditor;
class HeatController;
class Look;

/// Draws the heat beside the lines of the candidate's open file, and says in the pane's head what it is. Of
/// an older text only lines that are unchanged keep theirs, without colour. Which lines these are is found in
/// the pool.
class EditorHeat : public QObject {
    Q_OBJECT
public:
    /// `show`: the act that switches the column beside the lines on and off, and nothing else.
    EditorHeat(const Look &look, HeatController &controller, CandidatePanel &candidate, QAction &show);

    /// Leads to where a line of the text that ran stands now: placeFound(), or lineGone().
    void find(const QString &file, int line);

signals:
    void placeFound(const QString &file, int line);
    /// It was changed since, or its file is not open.
    void lineGone(const QString &file, int line);

private:
    void follow();
    void draw();
    void say();

    HeatController &m_controller;
    CandidatePanel &m_candidate;
    QPointer<CodeEditor> m_editor; ///< whose edits are followed
    QString m_file;
    QTimer m_soon;
    JobNumber m_jobs;
    JobNumber m_findings;
    QAction &m_show;
    ActionButton *m_head;
};

} // namespace warpwright
