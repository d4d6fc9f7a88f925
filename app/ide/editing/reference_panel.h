// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/workbench.h"
#include "widgets/editor/code_editor.h"
#include "widgets/frame/pane.h"

namespace warpwright {

class FactTable;

/// The reference, read-only, and the task's facts below it: shapes, parameters, FLOPs, bytes, speed of light.
/// Beside it one other file of the workspace that nobody edits here, as its README.
class ReferencePanel : public Pane {
    Q_OBJECT
public:
    ReferencePanel(const Look &look, Workbench &bench, QWidget *parent = nullptr);

    [[nodiscard]] CodeEditor *editor() const { return m_editor; }
    void goTo(int line, int column);
    void showReference();
    /// Another text of the workspace in a tab of its own, in the place of the one before. `line` 0: where it
    /// was.
    void openFile(const QString &path, int line, int column = 0);
    /// What the tab beside the reference shows; empty: there is none.
    [[nodiscard]] const QString &openedFile() const { return m_opened; }
    [[nodiscard]] bool showsOpened() const;

signals:
    void failed(const QString &title, const QString &text);
    /// The editor has another file's text now.
    void shownChanged();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void loadFile();
    void describe();
    void fitFacts();
    void showTab();

    const Look &m_look;
    Workbench &m_bench;
    CodeEditor *m_editor;
    SectionHead *m_head;
    FactTable *m_facts;
    QString m_factsRemark; ///< what they are
    QString m_loaded;
    QString m_text; ///< of the reference
    QString m_opened;
    QString m_openedText;
    EditorView m_places[2]; ///< where one was in either
    int m_shownTab = 0;
    JobNumber m_loads; ///< of the reference
    JobNumber m_jobs;  ///< of the other file
};

} // namespace warpwright
