// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/runs/lesson_maker.h"

#include "agent/lessons/lesson_folder.h"
#include "app/ide/agent/agent_controller.h"
#include "app/ide/kit/notices.h"
#include "app/ide/layout/dock.h"
#include "app/ide/lesson/lesson_controller.h"
#include "app/ide/shell/runs/lesson_faults.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/workspace_opener.h"
#include "app/ide/start/start_rows.h"
#include "app/ide/workbench/job.h"
#include "app/ide/workbench/workbench.h"
#include "toolchain/workspace/lessons.h"
#include "toolchain/workspace/readme_pictures.h"
#include "widgets/frame/file_dialogs.h"

#include <QFileInfo>

#include <utility>

namespace warpwright {

LessonMaker::LessonMaker(const Parts &parts, QWidget *window)
    : QObject(window), m_parts(parts), m_window(window) {
    connect(&m_parts.opener, &WorkspaceOpener::reopened, this, &LessonMaker::showOpened);
}

bool LessonMaker::mayBegin() const {
    if (!m_parts.agent.isRunning())
        return true;
    m_parts.notices.sayTrouble(tr("No lesson yet"), m_parts.lesson.stopFirstWords());
    return false;
}

void LessonMaker::beginIn(const QString &lesson, const QString &folder) {
    if (!mayBegin())
        return;
    struct Made {
        Result<QString> folder;
        bool isFaulty;             ///< the lesson is somebody's own, and cannot be followed
        QStringList notShown = {}; ///< pictures of its README.md
    };
    inPool(
        this,
        [lesson, folder, folders = m_parts.bench.folders()] {
            const Result<Lesson> found = lessonByName(folders.resources, lesson);
            if (!found.hasValue())
                return Made{Result<QString>::error(found.message()), QFileInfo(lesson).isDir()};
            Made made{Result<QString>::ok(folder), false};
            if (folder.isEmpty())
                made.folder = beginLesson(found.value(), folders.data, folders.resources);
            else if (const auto files = layOutLesson(found.value(), folder, folders.resources);
                     !files.hasValue())
                made.folder = Result<QString>::error(files.message());
            if (made.folder.hasValue())
                made.notShown = picturesNotShown(made.folder.value());
            return made;
        },
        [this, lesson, folder](const Made &made) {
            if (made.isFaulty)
                return m_parts.faults.show(made.folder.message(),
                                           [this, lesson, folder] { beginIn(lesson, folder); });
            if (!made.folder.hasValue())
                return m_parts.notices.sayTrouble(tr("Cannot begin the lesson"), made.folder.message());
            m_parts.opener.after().lesson = made.folder.value();
            m_parts.opener.open(made.folder.value());
            if (!made.notShown.isEmpty())
                m_parts.notices.tell(newsNotice(tr("Pictures of README.md that are not shown"),
                                                made.notShown.join(QLatin1Char('\n')), true));
        });
}

void LessonMaker::beginElsewhere(const QString &lesson) {
    askForFile(m_window, {FileQuestion::Of::Folder, tr("An empty folder for the lesson's workspace")},
               [this, lesson](const QString &folder) { beginIn(lesson, folder); });
}

// Its files are in the editors now. Nothing runs before the person begins it.
void LessonMaker::showOpened() {
    const QString folder = std::exchange(m_parts.opener.after().lesson, QString());
    if (folder.isEmpty() || !m_parts.bench.workspace() ||
        QFileInfo(m_parts.bench.workspace()->folder) != QFileInfo(folder))
        return;
    m_parts.agentDock.reveal(); // reasons, steps and bets are there
    m_parts.lesson.openPage();
}

} // namespace warpwright
