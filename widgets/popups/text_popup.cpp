// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/popups/text_popup.h"

#include "widgets/look/house_style.h"
#include "widgets/look/look.h"
#include "widgets/popups/markdown_text.h"

#include <QLabel>
#include <QPainter>
#include <QScrollBar>
#include <QTextEdit>

#include <algorithm>
#include <cmath>

namespace warpwright {

QRect besideRect(const QRect &room, const QRect &about, const QSize &size) {
    const int width = std::min(size.width(), room.width());
    const int below = room.bottom() - about.bottom();
    const int above = about.top() - room.top();
    const bool isBelow = size.height() <= below || below >= above;
    const int height = std::min(size.height(), std::max(isBelow ? below : above, 1));
    const int x = std::clamp(about.left(), room.left(), std::max(room.left(), room.right() + 1 - width));
    return {x, isBelow ? about.bottom() + 1 : about.top() - height, width, height};
}

TextPopup::TextPopup(const Look &look, QWidget *parent)
    : QWidget(parent), m_look(look), m_plain(new QLabel(this)), m_text(new QTextEdit(this)) {
    setObjectName(QStringLiteral("textPopup"));
    setFocusPolicy(Qt::NoFocus);
    hide();
    m_plain->setTextFormat(Qt::PlainText);
    m_plain->setWordWrap(true);
    m_plain->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_text->setReadOnly(true);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setFocusPolicy(Qt::NoFocus);
    m_text->setTextInteractionFlags(Qt::NoTextInteraction);
    m_text->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_text->verticalScrollBar()->setProperty("ground", QStringLiteral("bg.card"));
}

void TextPopup::showBeside(QWidget *over, const QRect &about, const QString &plain, const QString &markdown) {
    if (plain.isEmpty() && markdown.isEmpty()) {
        hide();
        return;
    }
    if (parentWidget() != over)
        setParent(over);
    QPalette palette = this->palette();
    palette.setColor(QPalette::Base, m_look.color("bg.card"));
    palette.setColor(QPalette::Text, m_look.color("text.primary"));
    palette.setColor(QPalette::WindowText, m_look.color("text.primary"));
    m_text->setPalette(palette);
    m_plain->setPalette(palette);
    m_plain->setFont(m_look.font(TextRole::Small));
    m_plain->setText(plain);
    m_plain->setVisible(!plain.isEmpty());
    m_text->setVisible(!markdown.isEmpty());
    setPlainMarkdown(*m_text->document(), markdown, m_look);

    const int pad = m_look.px(8);
    const int most =
        std::max(m_look.px(120), std::min(m_look.px(560), over->width() - m_look.px(24))) - 2 * pad;
    QTextDocument &document = *m_text->document();
    document.setTextWidth(most);
    const int plainWidth =
        m_plain->fontMetrics().boundingRect(QRect(0, 0, most, 9999), Qt::TextWordWrap, plain).width() + 1;
    const int textWidth =
        markdown.isEmpty() ? 0 : static_cast<int>(std::ceil(document.idealWidth())) + m_look.px(12);
    const int width = std::clamp(std::max(plainWidth, textWidth), m_look.px(120), most);
    document.setTextWidth(width);
    const int plainHeight = plain.isEmpty() ? 0 : m_plain->heightForWidth(width);
    const int textHeight =
        markdown.isEmpty()
            ? 0
            : std::min(static_cast<int>(std::ceil(document.size().height())) + m_look.px(2), m_look.px(320));
    const int between = plainHeight > 0 && textHeight > 0 ? pad : 0;
    const QRect here(over->mapFromGlobal(about.topLeft()), about.size());
    setGeometry(
        besideRect(over->rect(), here, QSize(width + 2 * pad, plainHeight + between + textHeight + 2 * pad)));
    m_plain->setGeometry(pad, pad, width, plainHeight);
    const int top = pad + plainHeight + between;
    m_text->setGeometry(pad, top, width, std::max(0, height() - pad - top));
    m_text->verticalScrollBar()->setValue(0);
    setAccessibleName(said());
    show();
    raise();
}

bool TextPopup::scrollPages(int pages) {
    QScrollBar *bar = m_text->verticalScrollBar();
    const int before = bar->value();
    bar->setValue(before + pages * bar->pageStep());
    return bar->value() != before;
}

QString TextPopup::said() const {
    QStringList parts{m_plain->text(), m_text->toPlainText()};
    parts.removeAll(QString());
    return parts.join(QLatin1Char('\n'));
}

void TextPopup::leaveEvent(QEvent *event) {
    QWidget::leaveEvent(event);
    emit left();
}

void TextPopup::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.card"));
    drawBox(&painter, rect(), 0, {}, m_look.color("border.strong"));
}

} // namespace warpwright
