// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/lifetime_lock.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace warpwright {

/// One measurement at a time on a device, among all programs of this user: whoever measures while another
/// does measures both. Held from taken() until it is released or destroyed; a dead holder's turn is over.
/// Where no lock file can be written it is given at once.
class DeviceTurn : public QObject {
    Q_OBJECT
public:
    /// `device`: a card's UUID, or "cpu". `cacheFolder`: DataFolders::cache.
    DeviceTurn(const QString &cacheFolder, const QString &device, QObject *parent = nullptr);

    /// Ends in taken(), at once or when the turn comes; waiting() tells first who has it.
    void take();
    void release();
    [[nodiscard]] bool isHeld() const { return m_isHeld; }

signals:
    void taken();
    /// `who`: "wright (process 4711)"
    void waiting(const QString &who);

private:
    void tryNow();

    std::unique_ptr<LifetimeLock> m_lock;
    QTimer m_again;
    QString m_who;
    bool m_isHeld = false;
};

} // namespace warpwright
