// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/settings/setting_row.h"

#include "app/ide/kit/card.h"
#include "widgets/frame/action_button.h"
#include "widgets/look/look.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QStyle>

#include <algorithm>

namespace warpwright {

SettingRow::SettingRow(const Look &look, const QString &name, const QString &purpose, QWidget *field,
                       QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_name(name),
      m_purpose(purpose),
      m_field(field),
      m_line(new QHBoxLayout),
      m_icon(new Words(look, TextRole::Small, "text.tertiary", this)),
      m_said(new Words(look, TextRole::Small, "text.secondary", this)) {
    field->setParent(this);
    field->setAccessibleName(name);
    field->setAccessibleDescription(purpose);
    auto *title = new Words(look, TextRole::Body, "text.primary", this, QFont::Medium);
    title->setText(name);
    title->setBuddy(field);
    auto *why = new Words(look, TextRole::Small, "text.secondary", this);
    why->setText(purpose);
    why->setWordWrap(true);
    m_said->setProse();
    m_icon->hide();
    m_said->hide();
    m_said->setObjectName(QStringLiteral("said"));
    m_icon->setAlignment(Qt::AlignTop);
    auto *left = new QVBoxLayout;
    left->setSpacing(look.px(2));
    left->addWidget(title);
    left->addWidget(why);
    left->addStretch(1);
    m_line->setSpacing(look.px(8));
    m_line->addWidget(field, 1);
    auto *below = new QHBoxLayout;
    below->setSpacing(look.px(6));
    below->addWidget(m_icon, 0, Qt::AlignTop);
    below->addWidget(m_said, 1);
    auto *right = new QVBoxLayout;
    right->setSpacing(look.px(6));
    right->addLayout(m_line);
    right->addLayout(below);
    right->addStretch(1);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(look.px(16), look.px(12), look.px(16), look.px(12));
    row->setSpacing(look.px(24));
    row->addLayout(left, 2);
    row->addLayout(right, 3);
    connect(&look, &Look::changed, this, [this] {
        if (m_icon->isVisible())
            show(m_finding, m_bad); // the icon has the theme's colours
    });
}

void SettingRow::addBeside(QWidget *widget) {
    m_line->addWidget(widget);
}

ActionButton *SettingRow::addTest() {
    m_test = new ActionButton(m_look, ActionButton::Kind::Plain, this);
    m_test->setObjectName(QStringLiteral("test"));
    m_line->addWidget(m_test);
    setTesting(false);
    return m_test;
}

void SettingRow::setTesting(bool isTesting) {
    m_test->setText(isTesting ? tr("Stop") : tr("Test"));
    m_test->setAccessibleName(isTesting ? tr("Stop testing %1").arg(m_name) : tr("Test %1").arg(m_name));
    if (isTesting) {
        m_said->setToken("text.secondary");
        m_said->setText(tr("testing"));
        m_icon->hide();
        m_said->show();
    }
}

void SettingRow::say(const ToolFinding &finding) {
    // What nobody has chosen is not wrong: it is only not there.
    const auto *edit = qobject_cast<const QLineEdit *>(m_field);
    const bool isBad = !finding.isGood && (edit == nullptr || !edit->text().isEmpty());
    show(finding, isBad ? m_field : nullptr);
}

void SettingRow::sayWrong(QWidget *field, const QString &text) {
    show({false, text}, field);
}

void SettingRow::setKeepsRoom(bool keepsRoom) {
    m_keepsRoom = keepsRoom;
    show(m_finding, m_bad);
}

void SettingRow::show(const ToolFinding &finding, QWidget *bad) {
    m_said->setMinimumHeight(m_keepsRoom ? m_said->fontMetrics().lineSpacing() : 0);
    m_said->setVisible(m_keepsRoom || !finding.text.isEmpty());
    m_icon->setVisible(!finding.text.isEmpty());
    const bool isBad = bad != nullptr;
    const char *token = finding.isGood ? "verdict.pass" : isBad ? "verdict.wrong" : "verdict.buildFailed";
    const QString icon = finding.isGood ? QStringLiteral("accept")
                         : isBad        ? QStringLiteral("error")
                                        : QStringLiteral("warning");
    const int size = m_look.px(14);
    m_icon->setPixmap(m_look.pixmap(icon, size, m_look.color(token), devicePixelRatioF()));
    m_said->setToken(isBad ? "verdict.wrong" : "text.secondary");
    m_said->setText(finding.text);
    for (QWidget *field : {m_bad.data(), bad}) {
        if (field == nullptr || field->property("isBad").toBool() == (field == bad))
            continue;
        field->setProperty("isBad", field == bad);
        field->update();
    }
    m_bad = bad;
    m_finding = finding;
}

QString SettingRow::said() const {
    return m_said->text();
}

bool SettingRow::matches(const QStringList &words) const {
    const QString text = m_name + QLatin1Char(' ') + m_purpose;
    return std::all_of(words.begin(), words.end(),
                       [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace warpwright
