// SPDX-License-Identifier: GPL-3.0-or-later
// Work that was left before its end: a lesson is gone on with or begun anew, a run from the start page. And
// work that would be left now: nothing ends it unasked.
#include "app/ide/agent/agent_desk.h"
#include "app/ide/kit/actions.h"
#include "app/ide/layout/leave_question.h"
#include "app/ide/layout/left_work.h"
#include "app/ide/lesson/lesson_desk.h"
#include "app/ide/shell/main_window.h"
#include "app/ide/start/start_page.h"
#include "app/ide/start/start_rows.h"
#include "toolchain/workspace/lessons.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QMenu>
#include <QProcess>

namespace warpwright {

void MainWindow::connectLeftWork() {
    connect(m_start, &StartPage::continueAsked, this, &MainWindow::continueIn);
}

// A run of a model goes on when its own button is pressed: it may cost something. A lesson costs nothing.
void MainWindow::continueIn(const QString &path, bool isLesson) {
    m_toContinue = isLesson ? path : QString();
    openWorkspace(path);
}

// Its files are in the editors, and what was left is known: whichever comes later.
void MainWindow::continueOpened() {
    if (m_toContinue.isEmpty() || m_toRestore || m_left.run.isEmpty() || !m_bench->workspace())
        return;
    const QString asked = std::exchange(m_toContinue, QString());
    if (QFileInfo(asked) == QFileInfo(openedPath()) && m_actions->continueRun->isEnabled())
        m_actions->continueRun->trigger();
}

void MainWindow::askLesson(const QString &name) {
    if (m_agent->isRunning())
        return sayTrouble(tr("No lesson yet"), m_lesson->stopFirstWords());
    struct Found {
        BegunLesson begun;
        LeftWork work;
    };
    inPool(
        this,
        [name, folders = m_bench->folders()] {
            Found found;
            if (const Result<Lesson> lesson = findLesson(folders.resources, name); lesson.hasValue())
                found.begun = begunLesson(lesson.value().name, folders.data);
            if (!found.begun.last.isEmpty())
                found.work = leftWorkIn(found.begun.last, folders);
            return found;
        },
        [this, name](const Found &found) {
            if (found.begun.last.isEmpty())
                return beginLessonIn(name, {}); // which says what is wrong with a name
            auto *menu = new QMenu(this);
            menu->setObjectName(QStringLiteral("lessonMenu"));
            menu->setAttribute(Qt::WA_DeleteOnClose);
            const QString last = homePath(found.begun.last);
            const bool isLeft = !found.work.left.run.isEmpty() && !found.work.left.process;
            QAction *goOn =
                menu->addAction(isLeft ? tr("Continue at step %1 of %2, in %3")
                                             .arg(QString::number(std::max(1, found.work.left.step)),
                                                  QString::number(found.work.steps), last)
                                       : tr("Open what was made of it, in %1").arg(last));
            connect(goOn, &QAction::triggered, this,
                    [this, isLeft, folder = found.begun.last] { continueIn(folder, isLeft); });
            connect(menu->addAction(tr("Begin anew, in %1").arg(homePath(found.begun.next))),
                    &QAction::triggered, this, [this, name] { beginLessonIn(name, {}); });
            const auto *row = m_start->findChild<QWidget *>(QStringLiteral("lesson-") + name);
            menu->popup(row != nullptr ? row->mapToGlobal(QPoint(0, row->height())) : QCursor::pos());
            menu->setActiveAction(goOn);
        });
}

bool MainWindow::isWorking() const {
    return m_bench->workspace() && (m_agent->isRunning() || (m_bench->isRunning() && !m_bench->isStopping()));
}

// Whoever opens what is open wants to see it: what goes on there goes on.
void MainWindow::showOpened() {
    m_toContinue.clear();
    backToWork();
    showOpenedLesson();
    if (!m_agent->isRunning())
        return playOpenedRecording();
    if (std::exchange(m_recordingToPlay, std::nullopt))
        sayTrouble(tr("No recording yet"),
                   tr("An agent's run is going on in its workspace. Stop it, then choose the recording "
                      "again."));
}

void MainWindow::leaveWork(const QString &path, const std::function<void()> &then) {
    if (!isWorking())
        return then();
    if (!path.isEmpty() && QFileInfo(path) == QFileInfo(openedPath()))
        return showOpened();
    // A recording is known by its name, and played from the beginning.
    const QStringList arguments = m_recordingToPlay
                                      ? QStringList{QStringLiteral("--recording"), QFileInfo(path).fileName()}
                                      : QStringList{path};
    const bool isRun = m_agent->isRunning();
    const QString name = m_bench->workspace()->name;
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
    question.stop = [this, then, recording = std::exchange(m_recordingToPlay, std::nullopt),
                     lesson = std::exchange(m_lessonToShow, QString()),
                     left = std::exchange(m_toContinue, QString())] {
        m_recordingToPlay = recording;
        m_lessonToShow = lesson;
        m_toContinue = left;
        then();
    };
    if (!path.isEmpty())
        question.inWindow = [this, arguments] {
            const QString program = QCoreApplication::applicationFilePath();
            if (!QProcess::startDetached(program, arguments))
                sayTrouble(tr("No new window"), tr("\"%1\" cannot be started. In a terminal: warpwright %2")
                                                    .arg(program, arguments.join(QLatin1Char(' '))));
        };
    askBeforeLeaving(this, question);
}

} // namespace warpwright
