// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/kit/message_card.h"

#include "app/ide/kit/notices.h"
#include "widgets/frame/action_button.h"
#include "widgets/look/look.h"

#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

namespace warpwright {

MessageCard::MessageCard(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_title(new QLabel(this)),
      m_text(new QLabel(this)),
      m_settings(new ActionButton(look, ActionButton::Kind::Plain, this)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    for (QLabel *label : {m_title, m_text}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_title);
    column->addWidget(m_text);
    column->addWidget(m_settings, 0, Qt::AlignLeft);
    m_settings->setObjectName(QStringLiteral("messageSettings"));
    m_settings->setSmall(true);
    m_settings->setIconName(QStringLiteral("settings"));
    m_settings->hide();
    connect(m_settings, &QAbstractButton::clicked, this, [this] { emit settingsAsked(m_settingsRow); });
    restyle();
    connect(&look, &Look::changed, this, &MessageCard::restyle);
}

void MessageCard::restyle() {
    layout()->setContentsMargins(m_look.px(38), m_look.px(10), m_look.px(12), m_look.px(12));
    layout()->setSpacing(m_look.px(4));
    m_title->setFont(m_look.font(TextRole::Body, QFont::DemiBold));
    m_text->setFont(m_look.font(TextRole::Small));
    QPalette palette = m_title->palette();
    palette.setColor(QPalette::WindowText, m_look.color(m_ink));
    m_title->setPalette(palette);
    palette.setColor(QPalette::WindowText, m_look.color("text.primary"));
    m_text->setPalette(palette);
    update();
}

void MessageCard::say(const QString &iconName, const char *ink, const char *ground, const QString &title,
                      const QString &text) {
    m_icon = iconName;
    m_ink = ink;
    m_ground = ground;
    m_title->setText(title);
    m_text->setText(text);
    m_text->setVisible(!text.isEmpty());
    m_settingsRow = settingsRowIn(text);
    m_settings->setText(tr("Settings > %1").arg(m_settingsRow));
    m_settings->setVisible(!m_settingsRow.isEmpty());
    setAccessibleName(title + QStringLiteral(". ") + text);
    restyle();
}

void MessageCard::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color(m_ground));
    if (m_icon.isEmpty())
        return;
    const int icon = m_look.px(16);
    m_look.icon(m_icon, m_look.color(m_ink)).paint(&painter, QRect(m_look.px(12), m_look.px(11), icon, icon));
    painter.fillRect(0, height() - 1, width(), 1, m_look.color("border.subtle"));
}

} // namespace warpwright
