// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/pane.h"

#include "widgets/frame/tab_menu.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/look/look.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QLabel>
#include <QPainter>
#include <QStackedWidget>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int headSpacing = 6;

/// Words that are cut end where they tell no other thing: a number without its last figures is another one.
class Remark : public QLabel {
public:
    using QLabel::QLabel;

    [[nodiscard]] QSize minimumSizeHint() const override {
        return {fontMetrics().horizontalAdvance(shortest()), QLabel::minimumSizeHint().height()};
    }

protected:
    void paintEvent(QPaintEvent *) override {
        const bool isWhole = fontMetrics().horizontalAdvance(text()) <= width();
        const QString shown =
            isWhole ? text() : fontMetrics().elidedText(shortest(), Qt::ElideRight, width());
        QPainter painter(this);
        painter.setFont(font());
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignLeft, shown);
    }

private:
    [[nodiscard]] QString shortest() const {
        const qsizetype colon = text().indexOf(QLatin1String(": "));
        return colon > 0 ? text().left(colon) : text();
    }
};

} // namespace

Pane::Pane(const Look &look, const QString &iconName, const QString &title, QWidget *parent)
    : QFrame(parent),
      m_look(look),
      m_iconName(iconName),
      m_head(new QWidget(this)),
      m_headRow(new QHBoxLayout(m_head)),
      m_icon(new QLabel(m_head)),
      m_title(new QLabel(title, m_head)),
      m_remark(new Remark(m_head)),
      m_tabs(new TabStrip(look, m_head)),
      m_more(new TabMenu(look, *m_tabs, look.px(headSpacing), m_head)),
      m_pages(new QStackedWidget(this)) {
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(title);
    m_head->setAutoFillBackground(true);
    m_head->installEventFilter(this);
    m_headRow->addWidget(m_icon);
    m_headRow->addWidget(m_title);
    m_headRow->addWidget(m_tabs, 0);
    m_headRow->addWidget(m_more);
    m_headRow->addStretch(1);
    m_headRow->addWidget(m_remark);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_head);
    column->addWidget(m_pages, 1);
    m_tabs->setAccessibleName(title);
    m_tabs->hide();
    m_remark->hide();
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        m_pages->setCurrentIndex(index);
        emit currentPageChanged(index);
    });
    // Names come, get longer and go: the title may have to yield, or has room again. Not while they are laid
    // out.
    connect(m_tabs, &TabStrip::laidOut, this, &Pane::makeRoomForTabs, Qt::QueuedConnection);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *, QWidget *now) {
        const bool isInside = now != nullptr && isAncestorOf(now);
        if (isInside != m_hasFocusInside) {
            m_hasFocusInside = isInside;
            m_head->update();
        }
    });
    connect(&look, &Look::changed, this, &Pane::restyle);
    restyle();
}

void Pane::restyle() {
    QPalette palette = m_head->palette();
    palette.setColor(QPalette::Window, m_look.color("bg.bar"));
    m_head->setPalette(palette);
    m_head->setFixedHeight(m_look.px(32));
    m_headRow->setContentsMargins(m_look.px(12), 0, m_look.px(8), 0);
    m_headRow->setSpacing(m_look.px(headSpacing));
    m_icon->setPixmap(
        m_look.pixmap(m_iconName, m_look.px(14), m_look.color("text.secondary"), devicePixelRatioF()));
    m_title->setFont(m_look.font(TextRole::Small, QFont::DemiBold));
    m_remark->setFont(m_look.font(TextRole::Small));
    QPalette quiet = m_remark->palette();
    quiet.setColor(QPalette::WindowText, m_look.color("text.tertiary"));
    m_remark->setPalette(quiet);
    setMinimumSize(leastWidth(), m_look.px(120));
    makeRoomForTabs();
}

int Pane::addPage(QWidget *page, const QString &name) {
    const int index = m_pages->addWidget(page);
    m_tabs->addTab(name);
    m_tabs->setVisible(!name.isEmpty());
    page->setAccessibleName(name.isEmpty() ? title() : title() + QStringLiteral(", ") + name);
    return index;
}

void Pane::setContent(QWidget *content) {
    m_pages->addWidget(content);
    m_more->setOn(false);
    m_tabs->setVisible(true);
}

QWidget *Pane::page(int index) const {
    return m_pages->widget(index);
}

void Pane::setCurrentPage(int index) {
    m_tabs->setCurrentIndex(index);
}

int Pane::currentPage() const {
    return m_pages->currentIndex();
}

void Pane::addToHead(QWidget *widget) {
    m_headRow->addWidget(widget);
}

void Pane::setRemark(const QString &text, const QString &tooltip) {
    m_remark->setText(text);
    m_remark->setToolTip(tooltip);
    m_remark->setVisible(!text.isEmpty());
}

void Pane::setTitleYields() {
    m_titleYields = true;
    m_icon->setToolTip(title());
    makeRoomForTabs();
}

void Pane::makeRoomForTabs() {
    if (!m_titleYields)
        return;
    int others = 0;
    for (int i = 0; i < m_headRow->count(); ++i)
        if (const QWidget *widget = m_headRow->itemAt(i)->widget(); widget != nullptr && widget != m_tabs &&
                                                                    widget != m_more && widget != m_title &&
                                                                    !widget->isHidden())
            others += widget->sizeHint().width() + m_headRow->spacing();
    const QMargins margins = m_headRow->contentsMargins();
    const int room = m_head->width() - margins.left() - margins.right() - others - 2 * m_headRow->spacing();
    m_title->setVisible(m_title->sizeHint().width() + m_headRow->spacing() + m_tabs->leastWidth() <= room);
}

int Pane::leastWidth() const {
    return m_look.px(280);
}

QString Pane::title() const {
    return m_title->text();
}

bool Pane::eventFilter(QObject *watched, QEvent *event) {
    if (watched != m_head)
        return QFrame::eventFilter(watched, event);
    if (event->type() == QEvent::Paint) {
        QPainter painter(m_head);
        painter.fillRect(m_head->rect(), m_look.color("bg.bar"));
        painter.fillRect(0, m_head->height() - 1, m_head->width(), 1, m_look.color("border.subtle"));
        if (m_hasFocusInside)
            painter.fillRect(0, 0, m_head->width(), 2, m_look.color("accent.focus"));
        return true;
    }
    if (event->type() == QEvent::Resize)
        makeRoomForTabs();
    if (event->type() == QEvent::MouseButtonDblClick) {
        emit headDoubleClicked();
        return true;
    }
    if (event->type() == QEvent::ContextMenu) {
        emit headMenuAsked(static_cast<QContextMenuEvent *>(event)->globalPos());
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

void Pane::paintEvent(QPaintEvent *) {
    QPainter(this).fillRect(rect(), m_look.color("bg.pane"));
}

SectionHead::SectionHead(const Look &look, const QString &title, QWidget *parent)
    : QWidget(parent), m_look(look), m_title(title) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&look, &Look::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void SectionHead::setTitle(const QString &title) {
    if (title == m_title)
        return;
    m_title = title;
    update();
}

void SectionHead::setRemark(const QString &remark, bool atRight) {
    if (remark == m_remark && atRight == m_isAtRight)
        return;
    m_remark = remark;
    m_isAtRight = atRight;
    setAccessibleName(m_title + QStringLiteral(", ") + remark);
    update();
}

QSize SectionHead::sizeHint() const {
    return {m_look.px(120), m_look.px(28)};
}

void SectionHead::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    painter.fillRect(0, 0, width(), 1, m_look.color("border.subtle"));
    painter.fillRect(0, height() - 1, width(), 1, m_look.color("border.subtle"));
    const int edge = m_look.px(12);
    painter.setFont(m_look.font(TextRole::Small, QFont::DemiBold));
    painter.setPen(m_look.color("text.primary"));
    painter.drawText(rect().adjusted(edge, 0, -edge, 0), Qt::AlignVCenter | Qt::AlignLeft, m_title);
    painter.setFont(m_look.font(TextRole::Small));
    painter.setPen(m_look.color("text.tertiary"));
    const Qt::Alignment side = m_isAtRight ? Qt::AlignRight : Qt::AlignLeft;
    painter.drawText(remarkRect(), static_cast<int>(Qt::AlignVCenter | side), shownRemark());
}

// Buttons in the head keep their place: the words yield.
QRect SectionHead::remarkRect() const {
    const int edge = m_look.px(12);
    const int gap = m_look.px(8);
    const QFontMetrics title(m_look.font(TextRole::Small, QFont::DemiBold));
    const int left = edge + title.horizontalAdvance(m_title) + gap;
    int right = width() - edge;
    for (const QWidget *child : findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly))
        if (!child->isHidden() && child->geometry().left() > edge)
            right = std::min(right, child->geometry().left() - gap);
    return {left, 0, std::max(0, right - left), height()};
}

QString SectionHead::shownRemark() const {
    return QFontMetrics(m_look.font(TextRole::Small))
        .elidedText(m_remark, Qt::ElideRight, remarkRect().width());
}

bool SectionHead::event(QEvent *event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    // What is cut is told whole.
    const auto *help = static_cast<QHelpEvent *>(event);
    if (shownRemark() == m_remark)
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), toolTip().isEmpty() ? m_remark : toolTip(), this);
    return true;
}

} // namespace warpwright
