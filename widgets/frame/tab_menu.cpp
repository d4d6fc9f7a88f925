// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/tab_menu.h"

#include "widgets/frame/tab_strip.h"

#include <QEvent>
#include <QMenu>

#include <limits>

namespace warpwright {
namespace {

constexpr int fewTabs = 12; ///< as the strip has it: of more, closer ones are no help

} // namespace

TabMenu::TabMenu(const Look &look, TabStrip &tabs, int spacing, QWidget *parent)
    : ActionButton(look, Kind::Flat, parent), m_tabs(tabs), m_spacing(spacing) {
    setObjectName(QStringLiteral("tabMenu"));
    setText(tr("More"));
    setHasMenu(true);
    setSmall(true);
    setToolTip(tr("All pages of this row"));
    hide();
    tabs.installEventFilter(this);
    connect(&tabs, &QTabBar::currentChanged, this, &TabMenu::follow, Qt::QueuedConnection);
    connect(this, &QAbstractButton::clicked, this, &TabMenu::open);
}

void TabMenu::follow() {
    const int room = m_tabs.width() + (isHidden() ? 0 : width() + m_spacing);
    const bool isNeeded = m_isOn && !m_tabs.isHidden() && wanted() > room;
    if (isNeeded == isHidden())
        setVisible(isNeeded);
    showThoseThatFit(isNeeded ? room - sizeHint().width() - m_spacing : std::numeric_limits<int>::max());
}

// The current one and the first of the others; what stands half behind an arrow is in nobody's reach.
void TabMenu::showThoseThatFit(int room) {
    const int current = m_tabs.currentIndex();
    if (current >= 0)
        room -= m_tabs.leastWidthOf(current);
    for (int index = 0; index < m_tabs.count(); ++index) {
        bool fits = index == current;
        if (!fits) {
            room -= m_tabs.leastWidthOf(index);
            fits = room >= 0;
            if (!fits)
                room = 0;
        }
        if (m_tabs.isTabVisible(index) != fits)
            m_tabs.setTabVisible(index, fits);
    }
}

int TabMenu::wanted() const {
    // So many stand no closer where there is no room.
    return m_tabs.count() > fewTabs ? m_tabs.sizeHint().width() : m_tabs.leastWidth();
}

void TabMenu::setOn(bool isOn) {
    m_isOn = isOn;
    follow();
}

void TabMenu::open() {
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    for (int index = 0; index < m_tabs.count(); ++index) {
        QAction *row = menu->addAction(m_tabs.tabText(index));
        row->setCheckable(true);
        row->setChecked(index == m_tabs.currentIndex());
        row->setEnabled(m_tabs.isTabEnabled(index));
        row->setToolTip(m_tabs.tabToolTip(index));
        connect(row, &QAction::triggered, &m_tabs, [this, index] { m_tabs.setCurrentIndex(index); });
        if (row->isChecked())
            menu->setActiveAction(row);
    }
    menu->popup(mapToGlobal(QPoint(0, height())));
}

bool TabMenu::eventFilter(QObject *watched, QEvent *event) {
    // LayoutRequest: a tab has come, gone or got another name.
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show ||
        event->type() == QEvent::LayoutRequest)
        QMetaObject::invokeMethod(this, &TabMenu::follow, Qt::QueuedConnection);
    return ActionButton::eventFilter(watched, event);
}

} // namespace warpwright
