// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/process/lifetime_lock.h"

#include <QByteArray>
#include <QString>

#include <memory>
#include <optional>

namespace warpwright {

/// Compiled objects by the hash of everything they depend on, each with what its compiler said, so that a hit
/// gives the same warnings and the same resource report as the compilation did. Safe for several processes at
/// once.
class ObjectCache {
public:
    explicit ObjectCache(QString folder);

    [[nodiscard]] QString objectPath(const QString &key) const;
    /// What the compiler said when it made the object; nothing: the object is not here.
    [[nodiscard]] std::optional<QByteArray> find(const QString &key) const;
    /// Moves `object` in (the same file system makes it a rename) with its log.
    [[nodiscard]] Result<void> store(const QString &key, const QString &object, const QByteArray &log) const;
    /// Whoever holds it makes the object of that key: nobody on this machine makes it a second time
    /// meanwhile. Null: another one does; look again. A dead holder's is taken over. Where no lock can be
    /// written there is nothing to wait for: then it is held by name only.
    [[nodiscard]] std::unique_ptr<LifetimeLock> claim(const QString &key) const;
    /// Where the instructions of that object are kept as text, as `tool` lists them.
    [[nodiscard]] static QString listingPath(const QString &objectPath, const QString &tool);
    /// Removes the objects that were not used for longest until the rest fits.
    void prune(qint64 limitBytes) const;
    /// The same where that was not done in the last ten minutes: to look through thousands of objects takes
    /// longer than to compile one.
    void pruneNowAndThen(qint64 limitBytes) const;

private:
    [[nodiscard]] QString logPath(const QString &key) const;

    QString m_folder;
};

} // namespace warpwright
