// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/editing/edited_file.h"
#include "app/ide/workbench/workbench.h"
#include "toolchain/workspace/candidate_files.h"
#include "widgets/frame/pane.h"

#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QHash>
#include <QJsonObject>
#include <QSet>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

class QAction;
class QSplitter;
class QStackedWidget;
class QVBoxLayout;

namespace warpwright {

class ActionButton;
class AskBar;
class BesideView;
class ChangedLines;
class CodeEditor;
class EmptyState;
class FileWalk;
class FolderWatch;
class FindBar;
struct ShownReview;

/// The candidate: one editor for each of kernels/* and model_new.py, with what the compilers said of their
/// lines. An earlier iteration is shown in a viewer of its own, so that the text being edited stays as it is.
class CandidatePanel : public Pane {
    Q_OBJECT
public:
    /// `begin`: the act that brings a candidate where there is none.
    CandidatePanel(const Look &look, Workbench &bench, QAction *begin, QWidget *parent = nullptr);
    ~CandidatePanel() override;

    /// After Workbench::opened(); `state`: as saveState() gave it.
    void openWorkspace(const QJsonObject &state);
    [[nodiscard]] QJsonObject saveState() const;

    /// All changed files, in the pool; `then` hears whether all are saved.
    void saveAll(std::function<void(bool isSaved)> then);
    [[nodiscard]] bool hasUnsaved() const;
    /// What is unsaved lies on the disk as drafts when this returns; false: not all of it could be written.
    [[nodiscard]] bool keepDrafts();
    [[nodiscard]] bool isSaving() const { return m_savesLeft > 0; }
    /// The text as it is now is what is being checked: edits count from here.
    void markChecked();
    /// These are the texts that are measured, by an agent's run: what differs from them is an edit.
    /// Lines are marked that differ from `before`.
    void setChecked(const CandidateTexts &texts, const CandidateTexts &before);

    /// Looks whether the disk has changed: when the window gets the focus, for network drives tell nothing.
    void checkDisk();
    /// False: no such file here.
    bool goTo(const QString &path, int line, int column);
    [[nodiscard]] CodeEditor *currentEditor() const;
    /// Relative to the workspace, of an earlier iteration too: "kernels/gate.cu".
    [[nodiscard]] QString currentFile() const;
    /// Where a person goes on: the editor, or what begins a candidate.
    void focusHere();
    /// Between the tabs and the text; it hides itself where it has nothing to say.
    void setBar(QWidget *bar);
    /// The same below the text, which stays where it is when it comes and goes.
    void setBarBelow(QWidget *bar);
    /// New files of a proposal, relative to the workspace: each has a tab, empty until it is reviewed, that
    /// lasts until it is on the disk or they are given anew. Nothing of them is saved from here.
    void setProposed(const QStringList &files);
    /// It has no tab of a file on the disk.
    [[nodiscard]] bool isOnDisk(const QString &file) const;
    /// Of a file of the live text, relative to the workspace; null: it is not open.
    [[nodiscard]] CodeEditor *editorOf(const QString &file) const;
    /// What would be saved of it now; empty: it is not open, or its encoding does not hold what was typed.
    [[nodiscard]] std::optional<QByteArray> bytesOf(const QString &file) const;
    /// Files have been written just now: nobody has to be told that they changed. `byRun`: what an agent's
    /// run has written, which lies below what a person can undo.
    void expectReload(const CandidateTexts &byRun = {});
    /// These are about to be the texts: files that they have not go by our own hand. False: they do not,
    /// after all.
    void expectGone(const CandidateTexts &texts, bool isGoing = true);
    /// The open file reads as on the disk, or as in the earlier iteration that is shown: one step of undo.
    void revertToDisk();
    void takeShownText();
    /// An iteration or an event of a past run, instead of the text on the disk.
    [[nodiscard]] bool showsEarlier() const;
    /// False: no such tab.
    bool showFile(const QString &file);
    /// The review of the proposal that a past run was at, while one is replayed: its hunks in the files that
    /// they are in, read-only. Null: none. `isTold`: another text comes with it at once.
    void setReview(std::shared_ptr<const ShownReview> review, bool isTold = false);
    /// Of that review: brings the hunk into view, in whichever file it is.
    void goToHunk(int hunk);
    [[nodiscard]] int currentHunk() const; ///< of that review; 0: none
    void find(bool replaces);
    void askLine();
    void newKernel();
    void renameCurrent();
    void deleteCurrent();
    /// The tab of a file that is no longer on the disk, or the file beside; of others it says why not.
    void closeCurrent();

    /// By order of use, as long as Ctrl is held.
    void stepFile(int by);
    /// A second editor at the right, with this file or the open one.
    void openBeside(const QString &file = {});
    void closeBeside();
    [[nodiscard]] bool hasBeside() const { return m_beside != nullptr; }
    /// From one editor to the other.
    void goToOther();
    /// What bars at the left edge tell of: the last check, or git's HEAD.
    void setChangesSinceHead(bool sinceHead);
    void goToChange(int by);
    /// The lines at the cursor read again as in what they are compared with.
    void revertChange();
    void setClosesBrackets(bool closes);

signals:
    void tabMenuAsked(const QString &file, const QPoint &globalPosition);
    /// Why there is no HEAD; empty: there is one.
    void headKnown(const QString &whyNot);
    void besideChanged();
    /// The open workspace's files are in the editors.
    void loaded();
    void editsChanged(int edits);
    void placeChanged(const QString &file, int line, int column);
    /// Under the mouse; line 0: over none.
    void lineHovered(const QString &file, int line);
    /// The text on disk is another now: a file was written, renamed, taken away or brought back.
    void saved();
    /// A file has been written by a save.
    void written();
    void noticed(const QString &title, const QString &text, bool isTrouble);
    /// Text of a file that is no longer there, left by a window that was killed.
    void draftFound(const QString &title, const QString &text, std::function<void()> bringBack);
    /// Files have other names on the disk now; `back` gives them the old ones.
    void renamedFiles(const QString &title, const QString &text, std::function<void()> back);
    void zoomAsked(int steps);

private:
    struct Open {
        EditedFile *file = nullptr;
        CodeEditor *editor = nullptr;
        ChangedLines *changed = nullptr;
        QString base;     ///< its text when it was last checked or opened
        QString conflict; ///< the question that waits for an answer; empty: none
    };

    void buildFiles();
    void fillFileMenu(const QPoint &globalPosition);
    void followFiles();
    void showBeside(const QString &file);
    void readHead();
    [[nodiscard]] QStringList tabFiles() const;
    [[nodiscard]] CodeEditor *focusedEditor() const; ///< the one beside, while a person is in it
    [[nodiscard]] ChangedLines *changesOf(const CodeEditor *editor) const;
    void setFiles();
    void endProposed(const QString &file);
    void markTab(const QString &path);
    void setConflict(const QString &path, const QString &question);
    void askAboutConflict();
    void offerLostDrafts();
    void watchFolder();
    void bringBack(const Draft &draft);
    Open &adopt(const QString &path, Open made);
    void follow(const std::vector<CandidateFiles::Renamed> &renamed);
    void tellRenamed(const std::vector<CandidateFiles::Renamed> &renamed);
    void renameBack(const std::vector<CandidateFiles::Renamed> &renamed);
    Open &open(const QString &path);
    void fillTabs();
    void showCurrent();
    void showEarlier();
    [[nodiscard]] QStringList earlierFiles() const;
    [[nodiscard]] const ShownReview *shownReview() const;
    void mark();
    void markEditor(CodeEditor &editor, const QString &path) const;
    void countEdits();
    [[nodiscard]] bool isOfRun() const; ///< what changes on the disk at this moment
    [[nodiscard]] bool differsFromChecked() const;
    void beginChecked(bool differs);
    void takeNewFiles(const QStringList &files);
    void forgetOpen(const QString &path, const Open &gone);
    [[nodiscard]] QString checkedText(const QString &path, const QString &now);
    void moveChecked(const QString &from, const QString &to, Open &moved);
    void endSave(bool isSaved);
    void endLoad(const EditedFile *file);
    [[nodiscard]] QString currentPath() const;
    [[nodiscard]] CodeEditor *proposedEditor(const QString &file) const;
    [[nodiscard]] QString relative(const QString &path) const;

    const Look &m_look;
    Workbench &m_bench;
    QStackedWidget *m_stack;
    CodeEditor *m_viewer;
    EmptyState *m_empty;
    AskBar *m_ask;
    FindBar *m_find;
    QVBoxLayout *m_column;
    QSplitter *m_split = nullptr; ///< m_stack, and what is beside it
    BesideView *m_beside = nullptr;
    FileWalk *m_walk = nullptr;
    FolderWatch *m_folders = nullptr;
    ActionButton *m_allFiles = nullptr; ///< where tabs find no room
    bool m_sinceHead = false;
    bool m_closesBrackets = true;
    JobNumber m_headJob;
    QWidget *m_bars = nullptr; ///< of a review; they are about the text of now
    QWidget *m_barBelow = nullptr;
    QElapsedTimer m_sinceWritten; ///< by a run
    std::unique_ptr<DraftStore> m_drafts;
    QSet<QString> m_going;                                    // of them, until their tabs are gone
    QHash<QString, Open> m_open;                              // by absolute path
    QStringList m_paths;                                      // of the tabs
    std::vector<std::pair<QString, CodeEditor *>> m_proposed; // their tabs follow
    std::unique_ptr<QFileSystemWatcher> m_folderWatcher;
    QTimer m_editTimer;
    std::vector<std::function<void(bool)>> m_afterSave;
    int m_savesLeft = 0;
    bool m_allSaved = true;
    int m_edits = 0;
    bool m_isEdited = false;                  ///< since they were counted
    QHash<QString, QString> m_checkedAndGone; ///< texts of files that have no tab any more, by absolute path
    bool m_differsSinceOpened = false;        ///< the disk's text was another than the checked one
    QSet<QString> m_notChecked;               ///< paths of m_open that the checked text has not
    bool m_isFilling = false;
    bool m_asksAboutConflict = false;
    bool m_wasEarlier = false;
    bool m_hasEarlierTabs = false;
    QString m_viewed;         ///< file in the viewer
    int m_viewedProposal = 0; ///< whose hunks it shows
    std::shared_ptr<const ShownReview> m_review;
    QString m_editedBefore; // the file, before an earlier iteration was shown
    QString m_wanted;       // the file that was open the last time
    QSet<const EditedFile *> m_notLoaded;
};

} // namespace warpwright
