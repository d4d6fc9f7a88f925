// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/recordings.h"

#include <QJsonObject>
#include <QObject>

#include <functional>
#include <optional>

class QWidget;

namespace warpwright {

class AgentController;
class CandidatePanel;
class WindowNotices;
class WindowPages;
class Workbench;

/// What is to be done with a workspace once its files are in the editors.
struct AfterOpening {
    QString lesson;                           ///< whose page is shown
    QString toContinue;                       ///< the same of a lesson that was left
    std::optional<OpenedRecording> recording; ///< that is played
    std::optional<QJsonObject> place;         ///< that is gone back to
};

/// Opens and closes workspaces. Work that goes on is left only when a person said so, and text that is
/// unsaved is kept before.
class WorkspaceOpener : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Workbench &bench;
        CandidatePanel &candidate;
        WindowNotices &notices;
        WindowPages &pages;
    };
    WorkspaceOpener(const Parts &parts, QWidget *window);
    void setAgent(AgentController &agent) { m_agent = &agent; } ///< once it is made

    void open(const QString &path);
    void openByDialog();
    void continueIn(const QString &path, bool isLesson);
    void close();
    [[nodiscard]] bool isOpening() const { return m_isOpening; }
    [[nodiscard]] QString openedPath() const; ///< empty: no workspace
    [[nodiscard]] AfterOpening &after() { return m_after; }
    void forgetAfter(); ///< it was not opened

signals:
    void opening();
    /// Is to be opened and is open: its lesson is to be shown.
    void reopened();
    /// Behind it, where no run goes on: its recording is to be played.
    void recordingAsked();

private:
    [[nodiscard]] bool isWorking() const; ///< a check or a run goes on, and would end with its workspace
    /// `then`, at once where nothing goes on; else a person is asked first. `path`: what is to be opened;
    /// empty: the workspace is to be closed.
    void leaveWork(const QString &path, const std::function<void()> &then);
    void leaveText(const std::function<void()> &then);
    void showOpened();

    const Parts m_parts;
    QWidget *m_window;
    AgentController *m_agent = nullptr; ///< made later
    AfterOpening m_after;
    bool m_isOpening = false;
};

} // namespace warpwright
