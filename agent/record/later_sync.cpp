// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/later_sync.h"

#include <QCoreApplication>
#include <QMetaObject>
#include <QMutex>
#include <QMutexLocker>
#include <QThreadPool>

#include <cerrno>
#include <unistd.h>
#include <utility>

namespace warpwright {

struct LaterSync::State {
    explicit State(int file) : descriptor(file) {}
    ~State() {
        if (descriptor >= 0)
            ::close(descriptor);
    }
    State(const State &) = delete;
    State &operator=(const State &) = delete;

    void work();

    const int descriptor;
    QMutex mutex;
    std::function<void(const QString &)> tell;
    bool isAsked = false;
    bool isWorking = false;
    bool hasFailed = false;
};

void LaterSync::State::work() {
    for (;;) {
        {
            const QMutexLocker locked(&mutex);
            isWorking = std::exchange(isAsked, false);
            if (!isWorking)
                return;
        }
        const int problem = ::fsync(descriptor) == 0 ? 0 : errno;
        std::function<void(const QString &)> told;
        {
            const QMutexLocker locked(&mutex);
            if (problem != 0 && !hasFailed)
                told = tell;
            hasFailed = problem != 0;
        }
        if (told && QCoreApplication::instance() != nullptr)
            QMetaObject::invokeMethod(
                QCoreApplication::instance(),
                [told = std::move(told), reason = qt_error_string(problem)] { told(reason); },
                Qt::QueuedConnection);
    }
}

LaterSync::LaterSync(int descriptor) : m_state(std::make_shared<State>(descriptor)) {}

LaterSync::~LaterSync() = default;

void LaterSync::setTold(std::function<void(const QString &reason)> tell) {
    const QMutexLocker locked(&m_state->mutex);
    m_state->tell = std::move(tell);
}

void LaterSync::ask() {
    constexpr int beforeOthers = 1; // it mostly waits for the disk, and is short
    const QMutexLocker locked(&m_state->mutex);
    m_state->isAsked = true;
    if (!std::exchange(m_state->isWorking, true))
        QThreadPool::globalInstance()->start([state = m_state] { state->work(); }, beforeOthers);
}

} // namespace warpwright
