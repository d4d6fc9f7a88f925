// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/runs/lesson_reading.h"

#include "app/ide/history/replay_controller.h"
#include "app/ide/kit/notices.h"
#include "app/ide/lesson/lesson_controller.h"
#include "app/ide/lesson/lesson_page.h"
#include "app/ide/shell/place_opener.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/frame/file_dialogs.h"

#include <QFileInfo>

namespace warpwright {

LessonReading::LessonReading(const Parts &parts, QWidget *window)
    : QObject(window), m_parts(parts), m_window(window) {
    m_parts.pages.add(&m_parts.lesson.page());
    LessonPage *page = &m_parts.lesson.page();
    connect(&m_parts.lesson, &LessonController::pageAsked, this, [this, page] { m_parts.pages.show(page); });
    // Whoever watches a run goes to where it did that step.
    m_parts.lesson.setJump([this](const QString &proposal) {
        const bool isWatched = m_parts.replay.isOpen() && m_parts.pages.isOnWork();
        if (isWatched)
            m_parts.replay.goToProposal(proposal);
        return isWatched;
    });
    connect(page, &LessonPage::closed, &m_parts.pages, &WindowPages::backToWork);
    connect(page, &LessonPage::linkActivated, this, [this](const QString &address) {
        if (m_parts.bench.workspace())
            m_parts.pages.comeToWork();
        m_parts.places.follow(address);
    });
    connect(page, &LessonPage::exportAsked, this, &LessonReading::exportAs);
}

void LessonReading::exportAs(const QString &kind) {
    const QString proposal = m_parts.lesson.fileName(kind);
    askForFile(m_window, {FileQuestion::Of::NewFile, tr("Export"), proposal, QStringLiteral("*.") + kind},
               [this, kind, proposal](const QString &file) {
                   if (m_parts.lesson.fileName(kind) != proposal)
                       return m_parts.notices.sayTrouble(tr("Not exported"),
                                                         tr("Another lesson is open by now."));
                   const Result<void> written = m_parts.lesson.write(kind, file);
                   if (written.hasValue())
                       m_parts.notices.tell(newsNotice(tr("Exported"), QFileInfo(file).absoluteFilePath()));
                   else
                       m_parts.notices.sayTrouble(tr("Not exported"), written.message());
               });
}

} // namespace warpwright
