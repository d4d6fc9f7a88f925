// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/window_notices.h"

#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/layout/status_line.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/frame/toasts.h"
#include "widgets/look/look.h"

#include <QAction>
#include <QMenu>
#include <QStackedWidget>

namespace warpwright {
namespace {

constexpr qsizetype mostInMenu = 20;

} // namespace

WindowNotices::WindowNotices(const Parts &parts, QWidget *window)
    : QObject(window), m_parts(parts), m_window(window) {
    connect(m_parts.actions.notices, &QAction::triggered, this, [this] { openMenu(); });
}

void WindowNotices::listen(const Workbench &bench, const QStackedWidget &pages,
                           const CandidatePanel &candidate) {
    for (const auto left : {&Workbench::opened, &Workbench::closed})
        connect(&bench, left, &m_parts.toasts, &Toasts::closeOfWorkspace);
    connect(&bench, &Workbench::closed, &m_parts.status, [this] {
        m_parts.status.setSaved({});
        m_parts.status.setPlace({});
    });
    connect(&pages, &QStackedWidget::currentChanged, &m_parts.toasts, &Toasts::closeOlder);
    connect(&candidate, &CandidatePanel::saved, &m_parts.toasts, [this] {
        m_parts.toasts.closeAll(CandidatePanel::tr("Not saved"));
        m_parts.toasts.closeAll(CandidatePanel::tr("A file waits for an answer"));
    });
    const auto count = [this] {
        m_parts.status.setNotices(m_parts.toasts.told() - m_read);
    };
    connect(&m_parts.toasts, &Toasts::toldChanged, this, count);
    connect(m_parts.actions.notices, &QAction::triggered, this, [this, count] {
        m_read = m_parts.toasts.told();
        count();
    });
    count(); // what was told while the window was made
}

void WindowNotices::openMenu() {
    auto *menu = new QMenu(m_window);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto &kept = m_parts.toasts.kept();
    if (kept.empty())
        menu->addAction(tr("No notices yet"))->setEnabled(false);
    for (auto notice = kept.rbegin(); notice != kept.rend() && menu->actions().size() < mostInMenu;
         ++notice) {
        QAction *row = menu->addAction(
            m_parts.look.icon(notice->iconName, m_parts.look.color(notice->token.toLatin1().constData())),
            notice->at.toString(QStringLiteral("HH:mm:ss  ")) + notice->title);
        connect(row, &QAction::triggered, this, [this, again = *notice] { m_parts.toasts.show(again); });
    }
    menu->popup(m_parts.status.mapToGlobal(QPoint(m_parts.look.px(200), -menu->sizeHint().height())));
}

void WindowNotices::sayTrouble(const QString &title, const QString &text) {
    show(troubleNotice(title, text));
}

void WindowNotices::sayOfProgram(const QString &title, const QString &text) {
    Notice notice = troubleNotice(title, text);
    notice.isOfProgram = true;
    show(std::move(notice));
}

void WindowNotices::tell(const Notice &notice) {
    m_parts.toasts.show(notice);
}

void WindowNotices::takeBack(const QString &title) {
    m_parts.toasts.closeAll(title);
}

void WindowNotices::show(Notice notice) {
    if (const QString row = settingsRowIn(notice.text); !row.isEmpty()) {
        notice.actionName = tr("Settings > %1").arg(row);
        notice.action = [this, row] {
            emit settingsAsked(row);
        };
    }
    m_parts.toasts.show(std::move(notice));
}

} // namespace warpwright
