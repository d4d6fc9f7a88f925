// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/runs/lesson_faults.h"

#include "app/ide/lesson/guide_page.h"
#include "app/ide/shell/window_pages.h"
#include "widgets/look/look.h"

#include <QAction>

namespace warpwright {
namespace {

/// As Markdown: the folder, then a point for each fault. A name may hold what Markdown means as emphasis.
QString faultsAsList(const QString &message) {
    QString text = message;
    for (const char *mark : {"\\", "*", "_", "`", "[", "]", "#"})
        text.replace(QLatin1String(mark), QLatin1Char('\\') + QLatin1String(mark));
    QStringList lines = text.split(QLatin1Char('\n'));
    const QString head = lines.takeFirst(); // of one mistake it is all
    for (QString &line : lines)
        line.prepend(QLatin1String("- "));
    return head + QStringLiteral("\n\n") + lines.join(QLatin1Char('\n'));
}

} // namespace

LessonFaults::LessonFaults(const Parts &parts, QWidget *window)
    : QObject(window), m_parts(parts), m_window(window) {}

void LessonFaults::show(const QString &faults, const std::function<void()> &tryAgain) {
    if (m_page) {
        m_page->setObjectName({});
        m_parts.pages.remove(m_page);
        m_page->deleteLater();
    }
    auto *again = new QAction(tr("Try again"), this);
    m_page = new GuidePage(m_parts.look, tr("This lesson cannot be followed yet"), again, m_window);
    again->setParent(m_page);
    m_page->setFocusProxy(m_page->findChild<QWidget *>(QStringLiteral("guideTries")));
    m_page->setObjectName(QStringLiteral("lessonFaults"));
    m_page->showText(faultsAsList(faults));
    m_parts.pages.add(m_page);
    connect(again, &QAction::triggered, this, tryAgain);
    connect(m_page, &GuidePage::closed, &m_parts.pages, &WindowPages::backToWork);
    m_parts.pages.show(m_page);
}

} // namespace warpwright
