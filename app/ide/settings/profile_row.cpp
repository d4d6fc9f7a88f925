// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/settings/profile_row.h"

#include "app/ide/kit/card.h"
#include "app/ide/settings/finding_line.h"
#include "widgets/frame/action_button.h"

#include <QHBoxLayout>

#include <algorithm>

namespace warpwright {

ProfileRow::ProfileRow(const Look &look, const QString &name, const QStringList &facts, bool canRemove,
                       QWidget *parent)
    : QWidget(parent), m_name(name), m_facts(facts), m_finding(new FindingLine(look, this)) {
    setObjectName(QStringLiteral("profile-") + name);
    auto *title = new Words(look, TextRole::Body, "text.primary", this, QFont::Medium);
    title->setText(name);
    auto *what = new Words(look, TextRole::Small, "text.secondary", this);
    what->setText(facts.join(QStringLiteral("  ·  ")));
    what->setProse();
    auto *words = new QVBoxLayout;
    words->setSpacing(look.px(2));
    words->addWidget(title);
    words->addWidget(what);
    m_try = addButton(look, QStringLiteral("tryProfile"), tr("Try it"));
    m_change = addButton(look, QStringLiteral("changeProfile"), tr("Change"));
    ActionButton *remove = addButton(look, QStringLiteral("removeProfile"), tr("Remove"));
    auto *line = new QHBoxLayout;
    line->setSpacing(look.px(8));
    line->addLayout(words, 1);
    remove->setVisible(canRemove);
    for (ActionButton *button : {m_try, m_change, remove})
        line->addWidget(button, 0, Qt::AlignVCenter);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(look.px(16), look.px(12), look.px(16), look.px(12));
    column->setSpacing(look.px(8));
    column->addLayout(line);
    column->addWidget(m_finding);
    connect(m_try, &QAbstractButton::clicked, this, &ProfileRow::tryAsked);
    connect(m_change, &QAbstractButton::clicked, this, &ProfileRow::editAsked);
    connect(remove, &QAbstractButton::clicked, this, &ProfileRow::removeAsked);
}

ActionButton *ProfileRow::addButton(const Look &look, const QString &id, const QString &text) {
    auto *button = new ActionButton(look, ActionButton::Kind::Plain, this);
    button->setObjectName(id);
    button->setText(text);
    button->setAccessibleName(QStringLiteral("%1: %2").arg(m_name, text));
    return button;
}

void ProfileRow::setTrying(bool isTrying) {
    m_try->setText(isTrying ? tr("Stop") : tr("Try it"));
    m_try->setAccessibleName(isTrying ? tr("Stop trying %1").arg(m_name) : tr("Try %1").arg(m_name));
}

void ProfileRow::focusChange() {
    m_change->setFocus(Qt::OtherFocusReason);
}

bool ProfileRow::matches(const QStringList &words) const {
    const QString text = (QStringList{m_name} + m_facts).join(u' ');
    return std::all_of(words.begin(), words.end(),
                       [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace warpwright
