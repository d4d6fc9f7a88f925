// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/bench/event_meter.h"

#include <QMetaEnum>
#include <QThread>

#include <ctime>

namespace warpwright {
namespace {

double millisecondsOf(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

} // namespace

bool EventMeter::notify(QObject *receiver, QEvent *event) {
    // The events of all threads come through here. One inside another is part of what that one costs.
    if (QThread::currentThread() != thread() || m_phase.isEmpty() || m_depth > 0)
        return QApplication::notify(receiver, event);
    const QEvent::Type type = event->type();
    QString who = QString::fromLatin1(receiver->metaObject()->className());
    // A socket or a timer says nothing; whose it is does.
    if (receiver->parent() != nullptr && !receiver->isWidgetType())
        who += QStringLiteral(" in ") + QLatin1String(receiver->parent()->metaObject()->className());
    const QString phase = m_phase;
    ++m_depth;
    const double wallBefore = millisecondsOf(CLOCK_MONOTONIC);
    const double before = millisecondsOf(CLOCK_THREAD_CPUTIME_ID);
    const bool isTaken = QApplication::notify(receiver, event); // the receiver may be gone now
    const double ms = millisecondsOf(CLOCK_THREAD_CPUTIME_ID) - before;
    const double wallMs = millisecondsOf(CLOCK_MONOTONIC) - wallBefore;
    --m_depth;
    Worst &worst = m_phases[phase];
    ++worst.events;
    worst.all.push_back(static_cast<float>(ms));
    worst.wall.push_back(static_cast<float>(wallMs));
    const bool isTooLong = ms > 16;
    worst.over16ms += isTooLong ? 1 : 0;
    if (ms <= worst.ms && !isTooLong)
        return isTaken;
    const QString name =
        QStringLiteral("%1 of %2")
            .arg(QString::fromLatin1(QMetaEnum::fromType<QEvent::Type>().valueToKey(type)), who);
    if (isTooLong && worst.tooLong.size() < 10)
        worst.tooLong << QStringLiteral("%1: %2 ms").arg(name).arg(ms, 0, 'f', 1);
    if (ms > worst.ms) {
        worst.ms = ms;
        worst.event = name;
    }
    return isTaken;
}

} // namespace warpwright
