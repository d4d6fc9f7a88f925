// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/layout/state_keeper.h"

#include "app/ide/layout/window_state.h"
#include "app/ide/workbench/job.h"

#include <QCoreApplication>
#include <QEvent>

namespace warpwright {

StateKeeper::StateKeeper(WindowState &state, std::function<void()> gather, QObject *parent)
    : QObject(parent), m_state(state), m_gather(std::move(gather)) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(writesAfterMs);
    m_pool.setMaxThreadCount(1);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        m_isTime = true;
        m_gather();
        m_isTime = false;
    });
    qApp->installEventFilter(this);
}

// Not started anew by each key: who types on and on is kept meanwhile.
void StateKeeper::touch() {
    if (!m_timer.isActive())
        m_timer.start();
}

void StateKeeper::write() {
    auto write = m_state.writer();
    if (!write)
        return;
    if (!m_isTime)
        return write();
    inPool(
        m_pool, this,
        [write = std::move(write)] {
            write();
            return true;
        },
        [](bool) {});
}

bool StateKeeper::eventFilter(QObject *watched, QEvent *event) {
    switch (event->type()) {
    case QEvent::KeyRelease:
    case QEvent::MouseButtonRelease:
    case QEvent::Wheel:
    case QEvent::Drop:
        touch();
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace warpwright
