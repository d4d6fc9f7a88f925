// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLockFile>

namespace warpwright {

/// A lock file that is stale only when its holder is dead, however long the holder takes: a window may be
/// open for weeks, a compiler may take an hour.
class LifetimeLock : public QLockFile {
public:
    /// How old a lock file that names no holder must be to count as left behind by one who was killed between
    /// making and writing it; a living one takes well below a millisecond.
    static constexpr int ownerlessMs = 1000;

    explicit LifetimeLock(const QString &file);

    /// Never waits. False: error() says whether another holds it (LockFailedError) or no file can be written.
    [[nodiscard]] bool tryTake();
    /// Something else than a file lies in its place: no lock is to be had there until somebody removes it.
    [[nodiscard]] bool isObstructed() const;
};

} // namespace warpwright
