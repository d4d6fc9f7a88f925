// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QMetaObject>
#include <QObject>
#include <QPointer>
#include <QThreadPool>

#include <utility>

namespace warpwright {

/// Runs `work` (a function of values) in `pool` and hands its answer to `then` in the application's thread,
/// where the receiver lives, unless that is gone by then. Both must not touch each other's data.
template <typename Work, typename Then>
void inPool(QThreadPool &pool, QObject *receiver, Work work, Then then) {
    QPointer<QObject> guarded(receiver);
    pool.start([guarded, work = std::move(work), then = std::move(then)]() mutable {
        auto answer = work();
        // Through the application: the receiver may die while the pool works, and must not be touched from
        // here.
        QMetaObject::invokeMethod(
            qApp,
            [guarded, answer = std::move(answer), then = std::move(then)]() mutable {
                if (guarded)
                    then(std::move(answer));
            },
            Qt::QueuedConnection);
    });
}

/// The same in the pool that all share.
template <typename Work, typename Then>
void inPool(QObject *receiver, Work work, Then then) {
    inPool(*QThreadPool::globalInstance(), receiver, std::move(work), std::move(then));
}

} // namespace warpwright
