// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/settings/profile_form.h"

#include "app/ide/kit/card.h"
#include "app/ide/settings/finding_line.h"
#include "app/ide/settings/setting_row.h"
#include "widgets/frame/action_button.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>

#include <algorithm>
#include <utility>

namespace warpwright {

ProfileForm::ProfileForm(const Look &look, const QString &kind, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_kind(kind),
      m_column(new QVBoxLayout(this)),
      m_hint(new Words(look, TextRole::Small, "text.secondary", this)),
      m_finding(new FindingLine(look, this)) {
    setObjectName(kind + QStringLiteral("Form"));
    m_column->setContentsMargins(0, look.px(4), 0, look.px(12));
    m_column->setSpacing(0);
    m_hint->setProse();
    m_hint->setContentsMargins(look.px(16), look.px(8), look.px(16), look.px(4));
    m_hint->hide();
    m_column->addWidget(m_hint);
}

SettingRow *ProfileForm::addRow(const QString &id, const QString &name, const QString &purpose,
                                QWidget *field) {
    auto *row = new SettingRow(m_look, name, purpose, field, this);
    field->setObjectName(m_kind + id);
    m_column->addWidget(row);
    return row;
}

QLineEdit *ProfileForm::addField(const QString &id, const QString &name, const QString &purpose,
                                 const QString &placeholder, const QString &text) {
    auto *field = new QLineEdit(text);
    field->setPlaceholderText(placeholder);
    field->setTextMargins(m_look.px(4), 0, m_look.px(4), 0);
    addRow(id, name, purpose, field);
    if (m_first == nullptr)
        m_first = field;
    return field;
}

void ProfileForm::foldAway(QWidget *field) {
    m_more.push_back(field->parentWidget());
}

void ProfileForm::addButtons(const QString &more) {
    const auto button = [this](const char *id, const QString &text) {
        auto *made = new ActionButton(m_look, ActionButton::Kind::Plain, this);
        made->setObjectName(QLatin1String(id));
        made->setText(text);
        return made;
    };
    m_moreWords = more;
    m_moreButton = button("moreOfProfile", {});
    m_moreButton->setKind(ActionButton::Kind::Flat);
    m_try = button("tryForm", {});
    setTrying(false);
    ActionButton *cancel = button("cancelForm", tr("Cancel"));
    ActionButton *save = button("saveForm", tr("Save"));
    save->setKind(ActionButton::Kind::Filled);
    auto *line = new QHBoxLayout;
    line->setContentsMargins(m_look.px(16), m_look.px(8), m_look.px(16), 0);
    line->setSpacing(m_look.px(8));
    line->addWidget(m_moreButton);
    line->addStretch(1);
    for (ActionButton *one : {m_try, cancel, save})
        line->addWidget(one);
    auto *said = new QHBoxLayout;
    said->setContentsMargins(m_look.px(16), m_look.px(8), m_look.px(16), 0);
    said->addWidget(m_finding);
    m_column->addLayout(line);
    m_column->addLayout(said);
    connect(m_moreButton, &QAbstractButton::clicked, this, [this] { showMore(m_more.front()->isHidden()); });
    connect(m_try, &QAbstractButton::clicked, this, [this] {
        if (!m_isTrying)
            finishTyping();
        emit tryAsked();
    });
    for (const QLineEdit *field : findChildren<QLineEdit *>())
        connect(field, &QLineEdit::textEdited, this, &ProfileForm::forgetWords);
    for (const QComboBox *box : findChildren<QComboBox *>())
        connect(box, &QComboBox::currentIndexChanged, this, &ProfileForm::forgetWords);
    connect(cancel, &QAbstractButton::clicked, this, &ProfileForm::cancelled);
    connect(save, &QAbstractButton::clicked, this, [this] {
        finishTyping();
        emit saveAsked();
    });
    showMore(false);
    m_begun = texts();
}

void ProfileForm::sayHint(const QString &hint) {
    m_hint->setText(hint);
    m_hint->setVisible(!hint.isEmpty());
}

void ProfileForm::forgetWords() {
    m_wasAsked = false;
    if (!m_isTrying)
        m_finding->say({});
    if (m_wrong)
        m_wrong->say({});
    m_wrong = nullptr;
}

void ProfileForm::sayWrong(QLineEdit *field, const QString &text) {
    forgetWords();
    auto *row = field != nullptr ? qobject_cast<SettingRow *>(field->parentWidget()) : nullptr;
    if (row == nullptr) {
        m_finding->say({false, text});
        emit saidAt(m_finding);
        return;
    }
    if (std::find(m_more.begin(), m_more.end(), row) != m_more.end())
        showMore(true);
    row->sayWrong(field, text);
    m_wrong = row;
    field->setFocus(Qt::OtherFocusReason);
    field->selectAll();
    emit saidAt(row);
}

void ProfileForm::askToDrop(const QString &text) {
    sayWrong(nullptr, text);
    m_wasAsked = true;
}

bool ProfileForm::mayClose() const {
    return !isChanged() || m_wasAsked;
}

void ProfileForm::setTrying(bool isTrying) {
    m_isTrying = isTrying;
    m_try->setText(isTrying ? tr("Stop") : tr("Try it"));
}

void ProfileForm::focusFirst() {
    m_first->setFocus(Qt::OtherFocusReason);
    m_first->selectAll();
}

QStringList ProfileForm::texts() const {
    QStringList texts;
    for (const QLineEdit *field : findChildren<QLineEdit *>())
        texts << field->text();
    for (const QComboBox *box : findChildren<QComboBox *>())
        texts << box->currentText();
    return texts;
}

void ProfileForm::showMore(bool isShown) {
    for (QWidget *row : m_more)
        row->setVisible(isShown);
    m_moreButton->setText(isShown ? tr("Less") : m_moreWords);
}

} // namespace warpwright
