// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/workspace_opener.h"

#include "app/ide/agent/agent_controller.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/layout/leave_question.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/frame/file_dialogs.h"

#include <QFileInfo>
#include <QProcess>

#include <utility>

namespace warpwright {

WorkspaceOpener::WorkspaceOpener(const Parts &parts, QWidget *window)
    : QObject(window), m_parts(parts), m_window(window) {}

void WorkspaceOpener::open(const QString &path) {
    leaveWork(path, [this, path] {
        leaveText([this, path] {
            // Closing the one before must not flash the start page.
            m_isOpening = true;
            emit opening();
            m_parts.bench.open(path);
            m_isOpening = false;
        });
    });
}

void WorkspaceOpener::close() {
    leaveWork({}, [this] { leaveText([this] { m_parts.bench.close(); }); });
}

void WorkspaceOpener::forgetAfter() {
    m_after.lesson.clear();
    m_after.toContinue.clear();
    m_after.recording.reset();
}

// Nobody asked to write what is unsaved into the files: it comes back as a draft with its workspace. Where no
// draft can be written, the file is the better place.
void WorkspaceOpener::leaveText(const std::function<void()> &then) {
    if (!m_parts.candidate.isSaving() && m_parts.candidate.keepDrafts())
        return then();
    m_parts.candidate.saveAll([then](bool isSaved) {
        if (isSaved)
            then();
    });
}

bool WorkspaceOpener::isWorking() const {
    return m_parts.bench.workspace() &&
           (m_agent->isRunning() || (m_parts.bench.isRunning() && !m_parts.bench.isStopping()));
}

void WorkspaceOpener::leaveWork(const QString &path, const std::function<void()> &then) {
    if (!isWorking())
        return then();
    if (!path.isEmpty() && QFileInfo(path) == QFileInfo(openedPath()))
        return showOpened();
    // A recording is known by its name, and played from the beginning.
    const QStringList arguments = m_after.recording
                                      ? QStringList{QStringLiteral("--recording"), QFileInfo(path).fileName()}
                                      : QStringList{path};
    const bool isRun = m_agent->isRunning();
    const QString name = m_parts.bench.workspace()->name;
    LeaveQuestion question;
    question.title = isRun ? tr("A run is going on") : tr("A check is running");
    question.text =
        isRun ? tr("A run is going on in \"%1\". If it is stopped it keeps what it has done, and can "
                   "be continued from there.")
                    .arg(name)
              : tr("The text of \"%1\" is being checked. If the check is stopped, what the "
                   "compilers said of it is kept, and it has no verdict.")
                    .arg(name);
    if (path.isEmpty())
        question.stopWords = isRun ? tr("Stop the run and close") : tr("Stop the check and close");
    else
        question.stopWords = isRun ? tr("Stop the run and open") : tr("Stop the check and open");
    // While it is asked nothing is to be opened: who stays has forgotten it.
    question.stop = [this, then, recording = std::exchange(m_after.recording, std::nullopt),
                     lesson = std::exchange(m_after.lesson, QString()),
                     left = std::exchange(m_after.toContinue, QString())] {
        m_after.recording = recording;
        m_after.lesson = lesson;
        m_after.toContinue = left;
        then();
    };
    if (!path.isEmpty())
        question.inWindow = [this, arguments] {
            const QString program = QCoreApplication::applicationFilePath();
            if (!QProcess::startDetached(program, arguments))
                m_parts.notices.sayTrouble(tr("No new window"),
                                           tr("\"%1\" cannot be started. In a terminal: warpwright %2")
                                               .arg(program, arguments.join(QLatin1Char(' '))));
        };
    askBeforeLeaving(m_window, question);
}

// Whoever opens what is open wants to see it: what goes on there goes on.
void WorkspaceOpener::showOpened() {
    m_after.toContinue.clear();
    m_parts.pages.backToWork();
    emit reopened();
    if (!m_agent->isRunning()) {
        emit recordingAsked();
        return;
    }
    if (std::exchange(m_after.recording, std::nullopt))
        m_parts.notices.sayTrouble(
            tr("No recording yet"),
            tr("An agent's run is going on in its workspace. Stop it, then choose the recording "
               "again."));
}

QString WorkspaceOpener::openedPath() const {
    if (!m_parts.bench.workspace())
        return {};
    const Workspace &workspace = *m_parts.bench.workspace();
    return workspace.isLoneFile ? workspace.modelFile : workspace.folder;
}

// A run of a model goes on when its own button is pressed: it may cost something. A lesson costs nothing.
void WorkspaceOpener::continueIn(const QString &path, bool isLesson) {
    m_after.toContinue = isLesson ? path : QString();
    open(path);
}

void WorkspaceOpener::openByDialog() {
    askForFile(m_window, {FileQuestion::Of::Folder, tr("Open a workspace: a folder with model.py")},
               [this](const QString &folder) { open(folder); });
}

} // namespace warpwright
