// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/edited_file.h"
#include "app/ide/workbench.h"
#include "widgets/pane.h"

#include <QHash>
#include <QJsonObject>
#include <QTimer>

#include <functional>
#include <memory>

class QStackedWidget;

namespace warpwright {

class AskBar;
class CodeEditor;
class EmptyState;
class FindBar;

/// The candidate: one editor for each of kernels/* and model_new.py, with what the compilers said of their
/// lines. An earlier iteration is shown in a viewer of its own, so that the text being edited stays as it is.
class CandidatePanel : public Pane {
    Q_OBJECT
public:
    CandidatePanel(const Look &look, Workbench &bench, QWidget *parent = nullptr);
    ~CandidatePanel() override;

    /// After Workbench::opened(); `state`: as saveState() gave it.
    void openWorkspace(const QJsonObject &state);
    [[nodiscard]] QJsonObject saveState() const;

    /// All changed files, in the pool; `then` hears whether all are saved.
    void saveAll(std::function<void(bool isSaved)> then);
    [[nodiscard]] bool hasUnsaved() const;
    [[nodiscard]] bool isSaving() const { return m_savesLeft > 0; }
    /// The text as it is now is what is being checked: edits count from here.
    void markChecked();

    /// Looks whether the disk has changed: when the window gets the focus, for network drives tell nothing.
    void checkDisk();
    /// False: no such file here.
    bool goTo(const QString &path, int line, int column);
    [[nodiscard]] CodeEditor *currentEditor() const;
    void find(bool replaces);
    void askLine();
    void newKernel();
    void renameCurrent();
    void deleteCurrent();

signals:
    /// The open workspace's files are in the editors.
    void loaded();
    void editsChanged(int edits);
    void placeChanged(const QString &file, int line, int column);
    void saved();
    void noticed(const QString &title, const QString &text, bool isTrouble);
    void zoomAsked(int steps);

private:
    struct Open {
        EditedFile *file = nullptr;
        CodeEditor *editor = nullptr;
        QString base; ///< its text when it was last checked or opened
    };

    void setFiles();
    Open &open(const QString &path);
    void fillTabs();
    void showCurrent();
    void showEarlier();
    void mark();
    void markEditor(CodeEditor &editor, const QString &path) const;
    void countEdits();
    void endSave(bool isSaved);
    [[nodiscard]] QString currentPath() const;
    [[nodiscard]] QString relative(const QString &path) const;

    const Look &m_look;
    Workbench &m_bench;
    QStackedWidget *m_stack;
    CodeEditor *m_viewer;
    EmptyState *m_empty;
    AskBar *m_ask;
    FindBar *m_find;
    std::unique_ptr<DraftStore> m_drafts;
    QHash<QString, Open> m_open; // by absolute path
    QStringList m_paths;         // of the tabs
    QTimer m_editTimer;
    std::vector<std::function<void(bool)>> m_afterSave;
    int m_savesLeft = 0;
    bool m_allSaved = true;
    int m_edits = 0;
    bool m_isFilling = false;
    QString m_wanted; // the file that was open the last time
    int m_notLoaded = 0;
};

} // namespace warpwright
