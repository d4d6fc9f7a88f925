// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/kit/card.h"

#include "widgets/look/house_style.h"
#include "widgets/look/tool_tip_text.h"

#include <QFocusEvent>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QToolTip>

namespace warpwright {

Words::Words(const Look &look, TextRole role, const char *token, QWidget *parent, QFont::Weight weight)
    : QLabel(parent), m_look(look), m_role(role), m_token(token), m_weight(weight) {
    setTextFormat(Qt::PlainText);
    // Before it is laid out a label is 30 px high. Of margins that are higher than that, as those of large
    // text are, Qt keeps none when the style is set.
    resize(look.px(100), look.px(100));
    restyle();
    connect(&look, &Look::changed, this, &Words::restyle);
}

void Words::setProse() {
    setWordWrap(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
}

void Words::setElides(Qt::TextElideMode mode) {
    m_elide = mode;
    setProperty("elides", true);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

QString Words::shownText() const {
    return m_elide ? fontMetrics().elidedText(text(), *m_elide, contentsRect().width()) : text();
}

bool Words::event(QEvent *event) {
    if (event->type() != QEvent::ToolTip || !toolTip().isEmpty() || shownText() == text())
        return QLabel::event(event);
    QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), toolTipText(text()), this);
    return true;
}

// QLabel cuts what has no room in the middle of a letter.
void Words::paintEvent(QPaintEvent *event) {
    if (!m_elide)
        return QLabel::paintEvent(event);
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(contentsRect(), static_cast<int>(alignment()) | Qt::TextSingleLine, shownText());
}

void Words::setToken(const char *token) {
    if (qstrcmp(token, m_token) == 0)
        return;
    m_token = token;
    restyle();
}

void Words::restyle() {
    setFont(m_look.font(m_role, m_weight));
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, m_look.color(m_token));
    setPalette(colors);
}

CardHead::CardHead(const Look &look, const QString &title, const QString &remark, QWidget *parent)
    : QWidget(parent),
      m_title(new Words(look, TextRole::Title, "text.primary", this, QFont::DemiBold)),
      m_remark(new Words(look, TextRole::Small, "text.tertiary", this)) {
    m_title->setText(title);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(look.px(8));
    row->addWidget(m_title, 0, Qt::AlignBaseline);
    row->addWidget(m_remark, 1, Qt::AlignBaseline);
    // A narrow column cuts the remark, never the page's width.
    m_remark->setElides();
    setRemark(remark);
}

void CardHead::setRemark(const QString &remark) {
    m_remark->setText(remark);
    m_remark->setToolTip(remark);
    setAccessibleName(remark.isEmpty() ? m_title->text() : m_title->text() + QStringLiteral(", ") + remark);
}

Card::Card(const Look &look, QWidget *parent) : QWidget(parent), m_look(look), m_rows(new QVBoxLayout(this)) {
    m_rows->setContentsMargins(1, 1, 1, 1);
    m_rows->setSpacing(1);
    connect(&look, &Look::changed, this, qOverload<>(&QWidget::update));
}

void Card::add(QWidget *row) {
    m_rows->addWidget(row);
}

void Card::clear() {
    while (QLayoutItem *item = m_rows->takeAt(0)) {
        if (QWidget *row = item->widget()) {
            row->hide();
            row->deleteLater(); // the press that clears may come from this very row
        }
        delete item;
    }
}

int Card::count() const {
    return m_rows->count();
}

void Card::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    drawBox(&painter, rect(), m_look.px(6), m_look.color("bg.pane"), m_look.color("border.normal"));
    for (int i = 1; i < m_rows->count(); ++i) {
        const QWidget *row = m_rows->itemAt(i)->widget();
        if (row != nullptr && row->isVisible() && row->y() > 1)
            painter.fillRect(1, row->y() - 1, width() - 2, 1, m_look.color("border.subtle"));
    }
}

CardButton::CardButton(const Look &look, bool hasEdge, QWidget *parent)
    : QAbstractButton(parent), m_look(look), m_hasEdge(hasEdge) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&look, &Look::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void CardButton::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const char *fill = isDown() ? "bg.pressed" : underMouse() && isEnabled() ? "bg.hover" : "bg.pane";
    const int radius = m_look.px(6);
    if (m_hasEdge) {
        drawBox(&painter, rect(), radius, m_look.color(fill), m_look.color("border.normal"));
    } else if (const QWidget *card = parentWidget(); card != nullptr) {
        painter.save();
        QPainterPath corners; // a filled row must not cover the round corners of its card
        corners.addRoundedRect(QRectF(card->rect()).translated(-pos()).adjusted(1, 1, -1, -1), radius - 1,
                               radius - 1);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setClipPath(corners);
        painter.fillRect(rect(), m_look.color(fill));
        painter.restore();
    }
    paintFace(painter);
    if (hasFocus() && m_focusIsVisible)
        drawBox(&painter, rect(), radius - 1, {}, m_look.color("accent.focus"), 2);
}

void CardButton::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        click();
        return;
    }
    QAbstractButton::keyPressEvent(event);
}

void CardButton::focusInEvent(QFocusEvent *event) {
    // A page that is shown gets the focus: a ring there would only be in the way until keys are used.
    const Qt::FocusReason reason = event->reason();
    if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason)
        m_focusIsVisible = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason ||
                           reason == Qt::ShortcutFocusReason;
    QAbstractButton::focusInEvent(event);
}

void CardButton::enterEvent(QEnterEvent *event) {
    QAbstractButton::enterEvent(event);
    update();
}

void CardButton::leaveEvent(QEvent *event) {
    QAbstractButton::leaveEvent(event);
    update();
}

int CardButton::drawLine(QPainter &painter, const QString &text, int x, int right, int centreY, TextRole role,
                         const char *token, QFont::Weight weight, Qt::TextElideMode elide) const {
    painter.setFont(m_look.font(role, weight));
    painter.setPen(m_look.color(isEnabled() ? token : "text.disabled"));
    const QFontMetrics metrics = painter.fontMetrics();
    const QString shown = metrics.elidedText(text, elide, std::max(0, right - x));
    const int height = metrics.height();
    const int width = metrics.horizontalAdvance(shown);
    painter.drawText(QRect(x, centreY - height / 2, width + 2, height), Qt::AlignVCenter | Qt::AlignLeft,
                     shown);
    return x + width;
}

void CardButton::drawIcon(QPainter &painter, const QString &name, int x, int centreY, int size,
                          const char *token) const {
    const int side = m_look.px(size);
    m_look.icon(name, m_look.color(isEnabled() ? token : "text.disabled"))
        .paint(&painter, QRect(x, centreY - side / 2, side, side));
}

ScrollPage::ScrollPage(const Look &look, QWidget *content, QWidget *parent)
    : QScrollArea(parent), m_look(look) {
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    verticalScrollBar()->setProperty("ground", QStringLiteral("bg.bar"));
    verticalScrollBar()->setSingleStep(look.px(32));
    setWidget(content);
    content->setAutoFillBackground(false);
    restyle();
    connect(&look, &Look::changed, this, &ScrollPage::restyle);
}

// One that is read takes the keys itself, and says so.
void ScrollPage::paintEvent(QPaintEvent *event) {
    QScrollArea::paintEvent(event);
    if (!hasFocus() || !m_focusIsVisible)
        return;
    QPainter painter(viewport());
    drawBox(&painter, viewport()->rect(), m_look.px(4), {}, m_look.color("accent.focus"), 2);
}

void ScrollPage::focusInEvent(QFocusEvent *event) {
    const Qt::FocusReason reason = event->reason();
    m_focusIsVisible =
        reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
    viewport()->update();
    QScrollArea::focusInEvent(event);
}

void ScrollPage::focusOutEvent(QFocusEvent *event) {
    viewport()->update();
    QScrollArea::focusOutEvent(event);
}

void ScrollPage::restyle() {
    QPalette colors = viewport()->palette();
    colors.setColor(QPalette::Window, m_look.color("bg.bar"));
    viewport()->setPalette(colors);
    viewport()->setAutoFillBackground(true);
}

} // namespace warpwright
