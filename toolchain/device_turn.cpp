// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/device_turn.h"

#include <QDir>

namespace warpwright {
namespace {

constexpr int tryAgainMs = 50;
constexpr int tellAgainMs = 1000;

} // namespace

DeviceTurn::DeviceTurn(const QString &cacheFolder, const QString &device, DeviceUse use, QObject *parent)
    : QObject(parent),
      m_line(cacheFolder + QStringLiteral("/devices/") + device + QStringLiteral(".line")),
      m_use(std::move(use)) {
    const QString folder = cacheFolder + QStringLiteral("/devices");
    QDir().mkpath(folder);
    m_lock = std::make_unique<LifetimeLock>(folder + QLatin1Char('/') + device + QStringLiteral(".lock"));
    m_again.setInterval(tryAgainMs);
    connect(&m_again, &QTimer::timeout, this, &DeviceTurn::tryNow);
}

void DeviceTurn::take() {
    if (m_isHeld || m_again.isActive())
        return;
    m_since = QDateTime::currentDateTimeUtc();
    m_isOrdered = true;
    m_free.invalidate();
    m_joining.start();
    m_again.start();
    // Answers never come from within take().
    QMetaObject::invokeMethod(this, &DeviceTurn::tryNow, Qt::QueuedConnection);
}

void DeviceTurn::tryNow() {
    if (m_isHeld)
        return tellHeld();
    if (!m_again.isActive()) // released meanwhile
        return;
    if (m_isOrdered && !m_line.hasJoined()) {
        const DeviceLine::Joined joined = m_line.join(m_use);
        // Whoever writes the list for so long is stopped in the midst of it: then it goes without an order.
        if (joined == DeviceLine::Joined::Later && m_joining.elapsed() <= patienceMs)
            return;
        m_isOrdered = joined == DeviceLine::Joined::Yes;
    }
    if (mayTry() && (m_lock->tryTake() || m_lock->error() != QLockFile::LockFailedError)) {
        m_again.stop();
        m_isHeld = true;
        m_wait.reset();
        tellHeld();
        emit taken();
        return;
    }
    tellWaiting();
}

bool DeviceTurn::mayTry() {
    if (!m_isOrdered)
        return true;
    m_line.look();
    const int position = m_line.position();
    if (position == 0) { // somebody emptied the cache folder
        m_line.leave();
        m_joining.start();
        return false;
    }
    if (m_line.holder() != nullptr)
        m_free.invalidate();
    else if (!m_free.isValid())
        m_free.start();
    // The lock is asked for although the list names a holder: he may have left it this moment.
    return position == 1 || (m_free.isValid() && m_free.elapsed() > qint64{patienceMs} * (position - 1));
}

// Again, until the list was nobody else's.
void DeviceTurn::tellHeld() {
    if (m_isOrdered && m_line.hasJoined() && !m_line.hold())
        QTimer::singleShot(tryAgainMs, this, [this] {
            if (m_isHeld)
                tellHeld();
        });
}

std::optional<DeviceHolder> DeviceTurn::holder() const {
    if (const DeviceLine::Place *place = m_line.holder())
        return DeviceHolder{place->process, place->program, place->use, place->heldSince};
    DeviceHolder holder;
    QString host;
    if (!m_lock->getLockInfo(&holder.process, &host, &holder.program))
        return std::nullopt;
    return holder;
}

void DeviceTurn::tellWaiting() {
    const DeviceWait wait{m_isOrdered ? std::max(m_line.position(), 1) : 1, m_since, holder()};
    if (m_wait == wait && m_told.elapsed() < tellAgainMs)
        return;
    m_wait = wait;
    m_told.start();
    emit waiting(wait);
}

void DeviceTurn::release() {
    m_again.stop();
    m_wait.reset();
    if (std::exchange(m_isHeld, false))
        m_lock->unlock();
    m_line.leave();
}

} // namespace warpwright
