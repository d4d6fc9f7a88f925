// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/kit/run_buttons.h"

#include "widgets/frame/action_button.h"
#include "widgets/look/look.h"

#include <QAction>
#include <QHBoxLayout>

namespace warpwright {

RunButtons::RunButtons(const Look &look, QAction *run, QAction *pause, QAction *stop, QWidget *parent)
    : QWidget(parent),
      m_stopAction(stop),
      m_run(new ActionButton(look, ActionButton::Kind::Plain, this)),
      m_pause(new ActionButton(look, ActionButton::Kind::Plain, this)),
      m_stop(new ActionButton(look, ActionButton::Kind::Plain, this)) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_run->setObjectName(QStringLiteral("runButton"));
    m_pause->setObjectName(QStringLiteral("pauseButton"));
    m_stop->setObjectName(QStringLiteral("stopButton"));
    m_run->setAction(run, false);
    m_pause->setAction(pause, false);
    m_pause->setIconName(QStringLiteral("pause"));
    m_stop->setAction(stop, false);
    m_stop->setIconName(QStringLiteral("stop"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(look.px(8));
    for (ActionButton *button : {m_run, m_pause, m_stop})
        row->addWidget(button);
    // An action's change would put its own words back.
    for (QAction *action : {run, pause, stop})
        connect(action, &QAction::changed, this, &RunButtons::say);
    setSession(false);
    say();
}

void RunButtons::setSession(bool hasSession) {
    m_run->setVisible(hasSession);
    m_pause->setVisible(hasSession);
}

void RunButtons::setState(State state, bool isNext) {
    m_state = state;
    m_run->setKind(isNext ? ActionButton::Kind::Filled : ActionButton::Kind::Plain);
    say();
}

void RunButtons::say() {
    QString run = tr("Run");
    const char *icon = "run";
    switch (m_state) {
    case Idle:
        break;
    case Running:
        run = tr("Running");
        icon = "running";
        break;
    case WaitingForYou:
        run = tr("Waiting for you");
        icon = "review";
        break;
    case Paused:
        run = tr("Go on");
        break;
    case Stopping:
        run = tr("Stopping");
        icon = "running";
        break;
    }
    m_run->setText(run);
    m_run->setIconName(QLatin1String(icon));
    m_run->setAccessibleName(run);
    m_stop->setText(m_state == Stopping ? tr("Stopping") : m_stopAction->text());
    m_stop->setAccessibleName(m_stop->text());
    for (ActionButton *button : {m_run, m_stop})
        button->updateGeometry();
    emit said();
}

} // namespace warpwright
