// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/runs/lesson_starts.h"

#include "app/ide/kit/actions.h"
#include "app/ide/layout/left_work.h"
#include "app/ide/lesson/lesson_controller.h"
#include "app/ide/lesson/lesson_page.h"
#include "app/ide/shell/runs/lesson_maker.h"
#include "app/ide/shell/workspace_opener.h"
#include "app/ide/start/start_page.h"
#include "app/ide/start/start_rows.h"
#include "app/ide/workbench/job.h"
#include "app/ide/workbench/workbench.h"
#include "toolchain/workspace/lessons.h"
#include "widgets/frame/file_dialogs.h"

#include <QAction>
#include <QCursor>
#include <QFileInfo>
#include <QMenu>

#include <algorithm>

namespace warpwright {

LessonStarts::LessonStarts(const Parts &parts, QWidget *window)
    : QObject(window), m_parts(parts), m_window(window) {
    const Actions &a = m_parts.actions;
    connect(a.beginLessonAnew, &QAction::triggered, this, &LessonStarts::beginAnew);
    connect(a.openLesson, &QAction::triggered, this, [this] {
        askForFile(m_window,
                   {FileQuestion::Of::Folder, tr("The folder of a lesson: it holds start/ and steps/")},
                   [this](const QString &folder) { m_parts.maker.beginIn(folder, {}); });
    });
    connect(&m_parts.start, &StartPage::lessonAsked, this, &LessonStarts::ask);
    connect(&m_parts.start, &StartPage::lessonElsewhereAsked, &m_parts.maker, &LessonMaker::beginElsewhere);
    connect(&m_parts.start, &StartPage::ownLessonAsked, this, [this](QWidget *row) {
        auto *menu = new QMenu(row);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addActions({m_parts.actions.openLesson, m_parts.actions.writeLesson});
        menu->popup(row->mapToGlobal(QPoint(0, row->height())));
    });
}

// Nothing is lost: the workspace of now stays as it is, with its iterations and its run. What is asked is
// where the new one lies.
void LessonStarts::beginAnew() {
    const std::optional<LessonContents> &contents = m_parts.lesson.contents();
    if (!contents)
        return;
    const QString lesson =
        QFileInfo::exists(contents->lesson.folder) ? contents->lesson.folder : contents->lesson.name;
    auto *menu = new QMenu(m_window);
    menu->setObjectName(QStringLiteral("beginAnewMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction *here = menu->addAction(
        tr("In \"%1\"").arg(nextLessonFolder(contents->lesson.name, m_parts.bench.folders().data)));
    QAction *there = menu->addAction(tr("In a folder that I choose…"));
    menu->addSeparator();
    menu->addAction(tr("\"%1\" stays as it is").arg(m_parts.bench.workspace()->folder))->setEnabled(false);
    connect(here, &QAction::triggered, this, [this, lesson] { m_parts.maker.beginIn(lesson, {}); });
    connect(there, &QAction::triggered, this, [this, lesson] { m_parts.maker.beginElsewhere(lesson); });
    // Below its button; from the palette, where no mouse has pointed, in the middle. Inside the window.
    const auto *button = m_parts.lesson.page().findChild<QWidget *>(QStringLiteral("lesson-beginLessonAnew"));
    const QWidget *window = m_window;
    const QSize size = menu->sizeHint();
    QPoint at = button != nullptr && button->isVisible()
                    ? button->mapTo(window, QPoint(0, button->height()))
                    : QPoint((window->width() - size.width()) / 2, window->height() / 4);
    at.setX(std::clamp(at.x(), 0, std::max(0, window->width() - size.width())));
    menu->popup(window->mapToGlobal(at));
    menu->setActiveAction(here);
}

void LessonStarts::ask(const QString &name) {
    if (!m_parts.maker.mayBegin())
        return;
    struct Found {
        BegunLesson begun;
        LeftWork work;
    };
    inPool(
        this,
        [name, folders = m_parts.bench.folders()] {
            Found found;
            if (const Result<Lesson> lesson = findLesson(folders.resources, name); lesson.hasValue())
                found.begun = begunLesson(lesson.value().name, folders.data);
            if (!found.begun.last.isEmpty())
                found.work = leftWorkIn(found.begun.last, folders);
            return found;
        },
        [this, name](const Found &found) {
            if (found.begun.last.isEmpty())
                return m_parts.maker.beginIn(name, {}); // which says what is wrong with a name
            auto *menu = new QMenu(m_window);
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
                    [this, isLeft, folder = found.begun.last] { m_parts.opener.continueIn(folder, isLeft); });
            connect(menu->addAction(tr("Begin anew, in %1").arg(homePath(found.begun.next))),
                    &QAction::triggered, this, [this, name] { m_parts.maker.beginIn(name, {}); });
            const auto *row = m_parts.start.findChild<QWidget *>(QStringLiteral("lesson-") + name);
            menu->popup(row != nullptr ? row->mapToGlobal(QPoint(0, row->height())) : QCursor::pos());
            menu->setActiveAction(goOn);
        });
}

} // namespace warpwright
