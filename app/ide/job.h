// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QMetaObject>
#include <QObject>
#include <QPointer>
#include <QThreadPool>

#include <type_traits>
#include <utility>

namespace warpwright {

/// Runs `work` (a function of values) in `pool` and hands its answer to `then` in the receiver's thread,
/// unless the receiver is gone by then. Both must not touch each other's data.
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

/// Answers to older questions are dropped: take a number before asking, compare it when the answer comes.
class JobNumber {
public:
    int next() { return ++m_last; }
    [[nodiscard]] bool isStale(int number) const { return number != m_last; }

private:
    int m_last = 0;
};

} // namespace warpwright
