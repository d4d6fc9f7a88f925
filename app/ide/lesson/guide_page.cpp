// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/lesson/guide_page.h"

#include "app/ide/kit/card.h"
#include "app/ide/lesson/reading_keys.h"
#include "app/ide/lesson/readme_view.h"
#include "widgets/frame/action_button.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPainter>
#include <QShortcut>
#include <QVBoxLayout>

namespace warpwright {

GuidePage::GuidePage(const Look &look, const QString &title, QAction *tries, QWidget *parent)
    : QWidget(parent), m_look(look) {
    setObjectName(QStringLiteral("guidePage"));
    auto *words = new Words(look, TextRole::Title, "text.primary", this, QFont::DemiBold);
    words->setText(title);
    auto *try_ = new ActionButton(look, ActionButton::Kind::Plain, this);
    try_->setObjectName(QStringLiteral("guideTries"));
    try_->setAction(tries);
    auto *close = new ActionButton(look, ActionButton::Kind::Plain, this);
    close->setText(tr("Close"));
    close->setKey(QStringLiteral("Esc"));
    auto *head = new QHBoxLayout;
    head->setContentsMargins(look.px(24), look.px(12), look.px(12), look.px(8));
    head->setSpacing(look.px(8));
    head->addWidget(words, 1);
    head->addWidget(try_);
    head->addWidget(close);
    auto *content = new QWidget;
    auto *card = new Card(look, content);
    m_text = new ReadmeView(look, card);
    m_text->setAccessibleName(title);
    card->add(m_text);
    auto *inner = new QVBoxLayout(content);
    inner->setContentsMargins(look.px(24), look.px(8), look.px(24), look.px(24));
    inner->addWidget(card);
    inner->addStretch(1);
    m_scroll = new ScrollPage(look, content, this);
    m_scroll->setFocusPolicy(Qt::StrongFocus); // it is read, and scrolls by keys
    m_scroll->setAccessibleName(title);
    setFocusProxy(m_scroll);
    scrollByKeysOf(try_, *m_scroll);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_scroll, 1);
    connect(close, &QAbstractButton::clicked, this, &GuidePage::closed);
    auto *escape = new QShortcut(Qt::Key_Escape, this);
    escape->setContext(Qt::WidgetWithChildrenShortcut);
    connect(escape, &QShortcut::activated, this, &GuidePage::closed);
    connect(&look, &Look::changed, this, qOverload<>(&QWidget::update));
}

void GuidePage::showText(const QString &markdown) {
    m_text->showText(markdown);
}

void GuidePage::paintEvent(QPaintEvent *) {
    QPainter(this).fillRect(rect(), m_look.color("bg.bar"));
}

} // namespace warpwright
