// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

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

    /// Never waits. Whoever it keeps off once is kept off by the same file until release(), also where
    /// somebody removes it meanwhile, with the whole cache folder say, and a new one is made.
    [[nodiscard]] Answer tryTake();
    /// Now and then while it is held: where the file was removed, a new one is made and taken, too.
    void stay();
    void release();
    /// The system's words: "No space left on device".
    [[nodiscard]] const QString &why() const { return m_why; }

private:
    [[nodiscard]] Answer tryFile();
    [[nodiscard]] Answer tryFolder(int how);
    [[nodiscard]] bool openFile();
    void freeFiles() const;

    QString m_folder;
    QString m_path;
    std::vector<int> m_files; ///< all that lay at the path since we wait; they keep the lock, as the next
    int m_inFolder = -1;
    bool m_isHeld = false;
    QString m_why;
};

} // namespace warpwright
