// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <memory>

namespace warpwright {

class LifetimeLock;

/// Lets one window (or agent) at a time write into a workspace: <state>/lock, with process, host and program.
///
/// Held until it is destroyed; the lock of a process that is dead is taken over, one on another host never
/// is. Where the state folder cannot be written there is nothing to guard, and no lock is needed.
class WorkspaceLock {
public:
    enum class State {
        Held,
        HeldByOther, ///< open it read-only; message() says who has it
        NotNeeded,   ///< nothing can be written there anyway
        Failed,      ///< a full disk, an odd file system: message() says what; nobody else is known to write
    };

    explicit WorkspaceLock(const QString &stateFolder);
    ~WorkspaceLock();
    WorkspaceLock(WorkspaceLock &&) noexcept;
    WorkspaceLock &operator=(WorkspaceLock &&) noexcept;

    /// Once at the start, and again when the other may have gone. Gives state().
    State take();
    void release();

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] bool mayWrite() const { return m_state == State::Held || m_state == State::Failed; }

    struct Holder {
        qint64 processId = 0;
        QString host;    ///< empty: unknown
        QString program; ///< "warpwright"
        bool operator==(const Holder &) const = default;
    };
    [[nodiscard]] const Holder &holder() const { return m_holder; }
    /// A sentence for HeldByOther, NotNeeded and Failed.
    [[nodiscard]] const QString &message() const { return m_message; }

private:
    std::unique_ptr<LifetimeLock> m_file;
    QString m_path;
    State m_state = State::Failed;
    Holder m_holder;
    QString m_message;
};

} // namespace warpwright
