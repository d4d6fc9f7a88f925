// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/device_queue/device_wait.h"

#include <QElapsedTimer>
#include <QString>

#include <vector>

namespace warpwright {

/// Who waits for a device, in which order, among all programs that share the cache folder: a folder with one
/// list, and one empty file for each who stands in it, locked (flock) by whoever does. The kernel takes the
/// lock from a process that dies, however it dies, and with it its place; nothing has to run for that.
///
/// First come, first served. Only: what a person's window asks for goes before programs that wait without
/// one, each of which is passed by the turns of one check at most while it waits, so that none starves.
class DeviceLine {
public:
    struct Place {
        QString ticket; ///< its file
        qint64 process = 0;
        QString program;
        DeviceUse use;
        QDateTime joined;
        QDateTime heldSince; ///< invalid: waits
        QString passedBy;    ///< the check that went before it

        [[nodiscard]] bool isHeld() const { return heldSince.isValid(); }
    };
    enum class Joined {
        Yes,
        Later,    ///< another writes the list this moment
        Unusable, ///< the folder cannot be written: why()
    };

    explicit DeviceLine(QString folder);
    ~DeviceLine();
    DeviceLine(const DeviceLine &) = delete;
    DeviceLine &operator=(const DeviceLine &) = delete;

    [[nodiscard]] Joined join(const DeviceUse &use);
    [[nodiscard]] bool hasJoined() const { return m_ticketFile >= 0; }
    /// From now on its place says that it holds the device. False: another writes the list this moment.
    [[nodiscard]] bool hold();
    void leave();
    [[nodiscard]] const QString &folder() const { return m_folder; }
    /// After Joined::Unusable, the system's words: "No space left on device".
    [[nodiscard]] const QString &why() const { return m_why; }

    /// Cheap while nothing has changed: reads the list when the folder has changed or the one before us is
    /// gone, and in any case once a second.
    void look();
    /// Of the last look: everybody alive. Who holds the device stands first.
    [[nodiscard]] const std::vector<Place> &places() const { return m_places; }
    /// From 1, of those who wait; 0: not in the line (any more).
    [[nodiscard]] int position() const;
    [[nodiscard]] const Place *holder() const;

private:
    class Guard;

    [[nodiscard]] QString path(const QString &name) const;
    [[nodiscard]] std::vector<Place> readPlaces() const;
    [[nodiscard]] bool writePlaces(const std::vector<Place> &places);
    [[nodiscard]] bool isAlive(const Place &place) const;
    [[nodiscard]] bool makeTicket();
    void removeLeftovers(const std::vector<Place> &places) const;
    void read();

    QString m_folder;
    QString m_ticket;
    int m_ticketFile = -1; // keeps the lock
    std::vector<Place> m_places;
    QString m_why;
    QElapsedTimer m_read;    // since then
    qint64 m_changedAt = -1; // of the folder when it was read, in nanoseconds
};

} // namespace warpwright
