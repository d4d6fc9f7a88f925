// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/lesson/bet_switch.h"

#include "app/ide/kit/card.h"

#include <QAction>
#include <QCheckBox>
#include <QHBoxLayout>

namespace warpwright {

BetSwitch::BetSwitch(const Look &look, QAction *betsFirst, QWidget *parent)
    : QWidget(parent), m_action(betsFirst), m_box(new QCheckBox(tr("Bet before results"), this)) {
    setObjectName(QStringLiteral("betSwitch"));
    m_box->setObjectName(QStringLiteral("betSwitchBox"));
    auto *meaning = new Words(look, TextRole::Small, "text.secondary", this);
    meaning->setElides();
    meaning->setText(tr("results stay hidden until you bet, or skip it"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(look.px(8));
    row->addWidget(m_box);
    row->addWidget(meaning, 1);
    connect(betsFirst, &QAction::changed, this, &BetSwitch::follow);
    connect(m_box, &QCheckBox::clicked, this, [this](bool isOn) {
        if (isOn != m_action->isChecked())
            m_action->trigger();
    });
    follow();
}

void BetSwitch::follow() {
    m_box->setChecked(m_action->isChecked());
    m_box->setToolTip(m_action->toolTip());
}

} // namespace warpwright
