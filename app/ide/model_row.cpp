// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/model_row.h"

#include "app/ide/card.h"
#include "app/ide/finding_line.h"
#include "widgets/action_button.h"

#include <QHBoxLayout>

#include <algorithm>

namespace warpwright {

QString keySourceText(const KeySource &key) {
    switch (key.kind) {
    case KeySource::Kind::Environment:
        return ModelRow::tr("key in $%1").arg(key.name);
    case KeySource::Kind::Keyring:
        return ModelRow::tr("key in the keyring");
    case KeySource::Kind::None:
        break;
    }
    return ModelRow::tr("no key");
}

QString dialectTitle(Dialect dialect) {
    switch (dialect) {
    case Dialect::OpenAiChat:
        return ModelRow::tr("Chat Completions");
    case Dialect::OpenAiResponses:
        return ModelRow::tr("Responses");
    case Dialect::Anthropic:
        return ModelRow::tr("Messages");
    }
    return {};
}

ModelRow::ModelRow(const Look &look, const ModelProfile &profile, QWidget *parent)
    : QWidget(parent), m_profile(profile), m_finding(new FindingLine(look, this)) {
    setObjectName(QStringLiteral("model-") + profile.name);
    auto *name = new Words(look, TextRole::Body, "text.primary", this, QFont::Medium);
    name->setText(profile.name);
    auto *what = new Words(look, TextRole::Small, "text.secondary", this);
    what->setText(
        QStringList{profile.model, profile.baseUrl, dialectTitle(profile.dialect), keySourceText(profile.key)}
            .join(QStringLiteral("  ·  ")));
    what->setProse();
    auto *words = new QVBoxLayout;
    words->setSpacing(look.px(2));
    words->addWidget(name);
    words->addWidget(what);
    m_try = addButton(look, QStringLiteral("tryModel"), tr("Try it"));
    ActionButton *edit = addButton(look, QStringLiteral("editModel"), tr("Change"));
    ActionButton *remove = addButton(look, QStringLiteral("removeModel"), tr("Remove"));
    auto *line = new QHBoxLayout;
    line->setSpacing(look.px(8));
    line->addLayout(words, 1);
    for (ActionButton *button : {m_try, edit, remove})
        line->addWidget(button, 0, Qt::AlignVCenter);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(look.px(16), look.px(12), look.px(16), look.px(12));
    column->setSpacing(look.px(8));
    column->addLayout(line);
    column->addWidget(m_finding);
    connect(m_try, &QAbstractButton::clicked, this, &ModelRow::tryAsked);
    connect(edit, &QAbstractButton::clicked, this, &ModelRow::editAsked);
    connect(remove, &QAbstractButton::clicked, this, &ModelRow::removeAsked);
}

ActionButton *ModelRow::addButton(const Look &look, const QString &id, const QString &text) {
    auto *button = new ActionButton(look, ActionButton::Kind::Plain, this);
    button->setObjectName(id);
    button->setText(text);
    button->setAccessibleName(QStringLiteral("%1: %2").arg(m_profile.name, text));
    return button;
}

void ModelRow::setTrying(bool isTrying) {
    m_try->setText(isTrying ? tr("Stop") : tr("Try it"));
    m_try->setAccessibleName(isTrying ? tr("Stop trying %1").arg(m_profile.name)
                                      : tr("Try %1").arg(m_profile.name));
}

bool ModelRow::matches(const QStringList &words) const {
    const QString text = QStringList{m_profile.name, m_profile.model, m_profile.baseUrl}.join(u' ');
    return std::all_of(words.begin(), words.end(),
                       [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace warpwright
