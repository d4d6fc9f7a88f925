// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/grouped_pages.h"

#include "widgets/frame/tab_menu.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/look/look.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QStackedWidget>

namespace warpwright {

GroupedPages::GroupedPages(const Look &look, const QString &name, QWidget *parent)
    : QWidget(parent), m_look(look), m_tabs(new TabStrip(look, this)), m_pages(new QStackedWidget(this)) {
    m_tabs->setAccessibleName(name);
    auto *row = new QHBoxLayout;
    row->setContentsMargins(look.px(4), 0, look.px(8), 1);
    row->addWidget(m_tabs, 1);
    row->addWidget(new TabMenu(look, *m_tabs, row->spacing(), this));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_pages, 1);
    setFocusProxy(m_pages);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        m_pages->setCurrentIndex(index);
        emit currentPageChanged(index);
    });
    connect(&look, &Look::changed, this, qOverload<>(&QWidget::update));
}

void GroupedPages::addPage(QWidget *page, const QString &name) {
    m_pages->addWidget(page);
    m_tabs->addTab(name);
    page->setAccessibleName(m_tabs->accessibleName() + QStringLiteral(", ") + name);
}

QWidget *GroupedPages::page(int index) const {
    return m_pages->widget(index);
}

int GroupedPages::indexOf(const QWidget *page) const {
    for (int index = 0; index < m_pages->count(); ++index)
        if (m_pages->widget(index) == page)
            return index;
    return -1;
}

void GroupedPages::setCurrentPage(int index) {
    m_tabs->setCurrentIndex(index);
}

int GroupedPages::currentPage() const {
    return m_pages->currentIndex();
}

void GroupedPages::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.pane"));
    painter.fillRect(0, m_tabs->geometry().bottom() + 1, width(), 1, m_look.color("border.subtle"));
}

} // namespace warpwright
