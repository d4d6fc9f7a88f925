// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QLockFile>
#include <QObject>
#include <QTimer>

#include <memory>

namespace warpwright {

/// One measurement at a time on a device, among all programs of this user: whoever measures while another
/// does measures both. Held from taken() until it is released or destroyed; a dead holder's turn is over,
/// within ownerlessMs also that of one who died before the file could say who it was.
/// Where no lock file can be written it is given at once.
class DeviceTurn : public QObject {
    Q_OBJECT
public:
    /// How long a lock file may be without its owner's name before it counts as left behind; writing the
    /// name takes a living holder well below a millisecond.
    static constexpr int ownerlessMs = 1000;

    /// `device`: a GPU's UUID, or "cpu". `cacheFolder`: DataFolders::cache.
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
    void clearOwnerless(bool isOwnerKnown);

    std::unique_ptr<QLockFile> m_lock;
    QTimer m_again;
    QElapsedTimer m_ownerless; ///< valid while the lock file names nobody
    QString m_who;
    bool m_isHeld = false;
};

} // namespace warpwright
