// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// One at a time on a device, also where nothing can be written any more: a lock (flock) on an empty file
/// that is there already or costs no space, else on the folder itself. The kernel takes it from whoever dies.
///
/// On the folder it is one lock for all devices: whoever has a file of its own shares the folder meanwhile,
/// so that both kinds keep each other off.
class DeviceGate {
public:
    enum class Answer {
        Held,
        Taken,      ///< another has it
        Impossible, ///< no lock can be had there: why() says what is wrong
    };

    /// `folder`: need not exist.
    DeviceGate(QString folder, const QString &device);
    ~DeviceGate();
    DeviceGate(const DeviceGate &) = delete;
    DeviceGate &operator=(const DeviceGate &) = delete;

    /// Never waits.
    [[nodiscard]] Answer tryTake();
    void release();
    /// The system's words: "No space left on device".
    [[nodiscard]] const QString &why() const { return m_why; }

private:
    [[nodiscard]] Answer tryFile();
    [[nodiscard]] Answer tryFolder(int how, int &handle);

    QString m_folder;
    QString m_path;
    int m_file = -1;   ///< keeps the lock, as the next
    int m_shared = -1; ///< the folder
    QString m_why;
};

} // namespace warpwright
