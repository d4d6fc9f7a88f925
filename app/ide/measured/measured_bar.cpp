// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/measured/measured_bar.h"

#include "widgets/frame/action_button.h"
#include "widgets/look/look.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPainter>

#include <utility>

namespace warpwright {
namespace {

constexpr int wordsAtLeast = 180; ///< px at 96 dpi

} // namespace

MeasuredBar::MeasuredBar(const Look &look, QWidget *parent)
    : QWidget(parent), m_look(look), m_row(new QHBoxLayout(this)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_row->addStretch(1);
    connect(&look, &Look::changed, this, &MeasuredBar::fitButtons);
    fitButtons();
    hide();
}

void MeasuredBar::say(const Content &content) {
    const Content before = std::exchange(m_content, content);
    if (before.buttons != content.buttons)
        makeButtons();
    setToolTip(content.more);
    setAccessibleName(content.words);
    setVisible(!content.words.isEmpty() || !content.buttons.empty());
    if (before.words != content.words || before.iconName != content.iconName) {
        makeRoomForWords();
        update();
    }
}

void MeasuredBar::makeButtons() {
    for (ActionButton *button : std::exchange(m_buttons, {})) {
        button->hide();
        button->deleteLater(); // the click that ends it may be its own
    }
    for (const Button &one : m_content.buttons) {
        auto *button = new ActionButton(m_look, ActionButton::Kind::Plain, this);
        button->setSmall(true);
        button->setAction(one.action, one.text.isEmpty());
        if (!one.text.isEmpty()) {
            button->setText(one.text);
            button->setAccessibleName(one.text);
        }
        button->setIconName(one.action->property("iconName").toString());
        m_row->addWidget(button);
        m_buttons.push_back(button);
    }
}

void MeasuredBar::fitButtons() {
    m_row->setContentsMargins(m_look.px(12), m_look.px(4), m_look.px(12), m_look.px(4));
    m_row->setSpacing(m_look.px(8));
    updateGeometry();
    update();
}

// Where it is narrow the buttons give way: what the page is of must be readable.
void MeasuredBar::resizeEvent(QResizeEvent *) {
    makeRoomForWords();
}

void MeasuredBar::makeRoomForWords() {
    const int words = QFontMetrics(m_look.font(TextRole::Small)).horizontalAdvance(m_content.words) +
                      m_look.px(20 + 2 * 12);
    int room = width() - std::min(words, m_look.px(wordsAtLeast));
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        const Button &one = m_content.buttons[i];
        m_buttons[i]->setText(one.text.isEmpty() ? one.action->text() : one.text);
        room -= m_buttons[i]->sizeHint().width() + m_look.px(8);
    }
    for (auto button = m_buttons.rbegin(); button != m_buttons.rend() && room < 0; ++button) {
        const int before = (*button)->sizeHint().width();
        (*button)->setToolTip((*button)->text());
        (*button)->setText({});
        room += before - (*button)->sizeHint().width();
    }
    for (ActionButton *button : m_buttons)
        button->updateGeometry();
}

QSize MeasuredBar::sizeHint() const {
    return {m_look.px(200), m_look.px(32)};
}

void MeasuredBar::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    painter.fillRect(0, height() - 1, width(), 1, m_look.color("border.subtle"));
    int x = m_look.px(12);
    const int icon = m_look.px(14);
    if (!m_content.iconName.isEmpty()) {
        m_look.icon(m_content.iconName, m_look.color(m_content.token))
            .paint(&painter, QRect(x, (height() - icon) / 2, icon, icon));
        x += icon + m_look.px(6);
    }
    const int end = m_buttons.empty() ? width() - m_look.px(12) : m_buttons.front()->x() - m_look.px(8);
    painter.setFont(m_look.font(TextRole::Small));
    painter.setPen(m_look.color("text.secondary"));
    painter.drawText(QRect(x, 0, std::max(0, end - x), height()), Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(m_content.words, Qt::ElideRight, std::max(0, end - x)));
}

} // namespace warpwright
