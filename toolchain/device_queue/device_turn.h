// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/device_queue/device_gate.h"
#include "toolchain/device_queue/device_line.h"
#include "toolchain/process/lifetime_lock.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <memory>

namespace warpwright {

/// One measurement at a time on a device, among all programs of this user: whoever measures while another
/// does measures both. They take turns as DeviceLine orders them. Held from taken() until it is released or
/// destroyed; a dead holder's turn is over, and so is the place of one who died waiting.
///
/// A waiter that does not take a free device (its process is stopped, say) is passed over after three
/// seconds. Where nothing can be written, on a full disk say, it is still one at a time, but in no order, and
/// waiting() says why.
class DeviceTurn : public QObject {
    Q_OBJECT
public:
    static constexpr int patienceMs = 3000;

    /// `device`: a card's UUID, or "cpu". `cacheFolder`: DataFolders::cache.
    DeviceTurn(const QString &cacheFolder, const QString &device, DeviceUse use = {},
               QObject *parent = nullptr);

    /// Ends in taken(), at once or when the turn comes; waiting() tells until then who has it.
    void take();
    void release();
    [[nodiscard]] bool isHeld() const { return m_isHeld; }
    /// Why another program may be on the device while this one has its turn, as a sentence; empty: none is.
    [[nodiscard]] const QString &trouble() const { return m_trouble; }
    /// Between take() and taken(), once somebody else was found to be before us.
    [[nodiscard]] const std::optional<DeviceWait> &wait() const { return m_wait; }

signals:
    void taken();
    /// At once, whenever the line moves, and once a second.
    void waiting(const warpwright::DeviceWait &wait);

private:
    void tryNow();
    void tellHeld();
    void tellWaiting();
    [[nodiscard]] bool mayTry();
    [[nodiscard]] bool takeLocks();
    [[nodiscard]] std::optional<DeviceHolder> holder() const;

    QString m_folder;
    DeviceLine m_line;
    DeviceGate m_gate;
    std::unique_ptr<LifetimeLock> m_lock;
    DeviceUse m_use;
    QTimer m_again;
    QTimer m_stay; // while it is held
    QDateTime m_since;
    QElapsedTimer m_joining; // since it wants a place in the line
    QElapsedTimer m_free;    // since nobody is known to hold the device
    QElapsedTimer m_told;
    std::optional<DeviceWait> m_wait;
    QString m_disorder;
    QString m_trouble;
    bool m_isOrdered = true;
    bool m_isHeld = false;
};

} // namespace warpwright
