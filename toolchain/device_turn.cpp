// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/device_turn.h"

#include <QDir>

namespace warpwright {

constexpr int tryAgainMs = 25;

DeviceTurn::DeviceTurn(const QString &cacheFolder, const QString &device, QObject *parent) : QObject(parent) {
    const QString folder = cacheFolder + QStringLiteral("/devices");
    QDir().mkpath(folder);
    m_lock = std::make_unique<LifetimeLock>(folder + QLatin1Char('/') + device + QStringLiteral(".lock"));
    m_again.setInterval(tryAgainMs);
    connect(&m_again, &QTimer::timeout, this, &DeviceTurn::tryNow);
}

void DeviceTurn::take() {
    // Answers never come from within take().
    if (!m_isHeld && !m_again.isActive())
        QMetaObject::invokeMethod(this, &DeviceTurn::tryNow, Qt::QueuedConnection);
}

void DeviceTurn::tryNow() {
    if (m_isHeld)
        return;
    if (m_lock->tryTake() || m_lock->error() != QLockFile::LockFailedError) {
        m_again.stop();
        m_isHeld = true;
        emit taken();
        return;
    }
    qint64 process = 0;
    QString host, program;
    const QString who = m_lock->getLockInfo(&process, &host, &program)
                            ? QStringLiteral("%1 (process %2)").arg(program).arg(process)
                            : QStringLiteral("another program");
    m_again.start();
    if (std::exchange(m_who, who) != who)
        emit waiting(who);
}

void DeviceTurn::release() {
    m_again.stop();
    if (std::exchange(m_isHeld, false))
        m_lock->unlock();
}

} // namespace warpwright
