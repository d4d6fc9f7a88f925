// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/settings/finding_line.h"

#include "app/ide/kit/card.h"

#include <QHBoxLayout>

namespace warpwright {

FindingLine::FindingLine(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_icon(new Words(look, TextRole::Small, "text.tertiary", this)),
      m_words(new Words(look, TextRole::Small, "text.secondary", this)) {
    m_words->setProse();
    m_words->setObjectName(QStringLiteral("said"));
    auto *line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(look.px(6));
    line->addWidget(m_icon, 0, Qt::AlignTop);
    line->addWidget(m_words, 1);
    hide();
    connect(&look, &Look::changed, this, &FindingLine::paintIcon); // the icon has the theme's colours
}

void FindingLine::say(const ToolFinding &finding) {
    if (finding.isGood)
        show(finding.text, QStringLiteral("accept"), "verdict.pass", "text.secondary");
    else
        show(finding.text, QStringLiteral("error"), "verdict.wrong", "verdict.wrong");
}

void FindingLine::sayBusy(const QString &text) {
    show(text, QStringLiteral("running"), "accent.text", "text.secondary");
}

QString FindingLine::said() const {
    return m_words->text();
}

void FindingLine::show(const QString &text, const QString &icon, const char *token, const char *ink) {
    m_iconName = icon;
    m_token = token;
    paintIcon();
    m_words->setToken(ink);
    m_words->setText(text);
    setVisible(!text.isEmpty());
}

void FindingLine::paintIcon() {
    if (!m_iconName.isEmpty())
        m_icon->setPixmap(
            m_look.pixmap(m_iconName, m_look.px(14), m_look.color(m_token), devicePixelRatioF()));
}

} // namespace warpwright
