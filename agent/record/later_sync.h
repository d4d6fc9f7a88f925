// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>
#include <memory>

namespace warpwright {

/// Brings what was written into a file onto the disk, in the pool: fsync() may take as long as it likes, and
/// whoever writes may have a window to keep alive. What write() took outlives the death of the process
/// without it; only a loss of power asks for it. One runs at a time, and all that is asked for meanwhile is
/// one more behind it.
class LaterSync {
public:
    /// Owns the descriptor: it is closed once the last sync that was asked for has ended, which may be after
    /// this has gone.
    explicit LaterSync(int descriptor);
    ~LaterSync();
    LaterSync(const LaterSync &) = delete;
    LaterSync &operator=(const LaterSync &) = delete;

    /// `tell` hears why one failed, in the application's thread; once, until one succeeds again.
    void setTold(std::function<void(const QString &reason)> tell);
    void ask();

private:
    struct State;
    std::shared_ptr<State> m_state;
};

} // namespace warpwright
