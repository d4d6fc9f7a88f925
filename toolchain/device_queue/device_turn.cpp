// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/device_queue/device_turn.h"

#include <QDir>

namespace warpwright {
namespace {

constexpr int tryAgainMs = 50;
constexpr int tellAgainMs = 1000;
constexpr int stayMs = 500;

} // namespace

DeviceTurn::DeviceTurn(const QString &cacheFolder, const QString &device, DeviceUse use, QObject *parent)
    : QObject(parent),
      m_folder(cacheFolder + QStringLiteral("/devices")),
      m_line(m_folder + QLatin1Char('/') + device + QStringLiteral(".line")),
      m_gate(m_folder, device),
      m_use(std::move(use)) {
    QDir().mkpath(m_folder);
    m_lock = std::make_unique<LifetimeLock>(m_folder + QLatin1Char('/') + device + QStringLiteral(".lock"));
    m_again.setInterval(tryAgainMs);
    connect(&m_again, &QTimer::timeout, this, &DeviceTurn::tryNow);
    m_stay.setInterval(stayMs);
    connect(&m_stay, &QTimer::timeout, this, [this] { m_gate.stay(); });
}

void DeviceTurn::take() {
    if (m_isHeld || m_again.isActive())
        return;
    m_since = QDateTime::currentDateTimeUtc();
    m_isOrdered = true;
    m_disorder.clear();
    m_trouble.clear();
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
        if (joined == DeviceLine::Joined::Later)
            m_disorder = QStringLiteral("another program keeps \"%1/guard\" locked").arg(m_line.folder());
        else if (!m_isOrdered)
            m_disorder = m_line.why();
    }
    if (mayTry() && takeLocks()) {
        m_again.stop();
        m_stay.start();
        m_isHeld = true;
        m_wait.reset();
        tellHeld();
        emit taken();
        return;
    }
    tellWaiting();
}

bool DeviceTurn::mayTry() {
    m_line.look();
    if (!m_isOrdered)
        return true;
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

// The lock file names its holder; where it cannot be written the gate alone keeps others off.
bool DeviceTurn::takeLocks() {
    const DeviceGate::Answer gate = m_gate.tryTake();
    if (gate == DeviceGate::Answer::Taken)
        return false;
    if (m_lock->tryTake())
        return true;
    if (m_lock->error() == QLockFile::LockFailedError && !m_lock->isObstructed()) {
        m_gate.release();
        return false;
    }
    if (gate == DeviceGate::Answer::Impossible)
        m_trouble =
            QStringLiteral("No lock can be had in \"%1\" (%2): nothing kept other programs of yours off "
                           "the device while this was measured.")
                .arg(m_folder, m_gate.why());
    return true;
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
    if (m_lock->isObstructed() || !m_lock->getLockInfo(&holder.process, &host, &holder.program))
        return std::nullopt;
    return holder;
}

void DeviceTurn::tellWaiting() {
    const DeviceWait wait{m_isOrdered ? std::max(m_line.position(), 1) : 1, m_since, holder(), m_disorder};
    if (m_wait == wait && m_told.elapsed() < tellAgainMs)
        return;
    m_wait = wait;
    m_told.start();
    emit waiting(wait);
}

void DeviceTurn::release() {
    m_again.stop();
    m_stay.stop();
    m_wait.reset();
    if (std::exchange(m_isHeld, false))
        m_lock->unlock();
    m_gate.release();
    m_line.leave();
}

} // namespace warpwright
