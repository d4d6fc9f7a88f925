// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/compile/header_store.h"
#include "toolchain/process/child_process.h"
#include "toolchain/process/lifetime_lock.h"

#include <QObject>

#include <functional>
#include <memory>

namespace warpwright {

/// Makes one precompiled header, tries whether GCC takes it, and puts it into the store.
///
/// Several may run for the same one, also in different processes: one makes it, the others end at once.
/// Always ends in exactly one of finished() or failed(). What the compiler will not make or not take is
/// remembered in the store, so that it is not tried with every compilation.
class HeaderPrecompile : public QObject {
    Q_OBJECT
public:
    HeaderPrecompile(HeaderRequest request, QString cacheFolder, QObject *parent = nullptr);
    ~HeaderPrecompile() override;

    void start();
    /// Ends in failed() with the word "cancelled".
    void cancel();

signals:
    /// `header`: what to -include; empty: another process makes it just now. `wasMadeNow`: it was not here.
    void finished(const QString &header, bool wasMadeNow);
    void failed(const QString &message);

private:
    void make();
    void tryIt();
    void install();
    void run(const QStringList &arguments, const std::function<void()> &next);
    void end(bool wasMadeNow);
    void fail(const QString &message);

    HeaderRequest m_request;
    HeaderStore m_store;
    QString m_scratch;
    std::unique_ptr<LifetimeLock> m_lock;
    ChildProcess *m_process = nullptr;
    bool m_isDone = false;
};

/// From now on this process and its children work only while nobody else wants the processor or the disk.
void stepBehindEverybody();

} // namespace warpwright
