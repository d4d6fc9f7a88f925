// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/environment/toolchain_probe.h"

#include <QCoreApplication>
#include <QObject>
#include <QPointer>

#include <functional>
#include <memory>

namespace warpwright {

/// The thread that all inquiries share; an object that lives in it. It ends with the application.
[[nodiscard]] QObject *inquiryThread();

/// A question to the machine (ToolchainProbe, Doctor) asked in a thread of its own: to start a compiler and
/// to read what it says costs the window nothing. `then` hears the answer in the thread of this object, at
/// most once. Deleting it is how the question is taken back.
template <typename Task, typename Answer>
class Inquiry : public QObject {
public:
    Inquiry(ToolchainProbe::Request request, QObject *parent, std::function<void(const Answer &)> then)
        : QObject(parent), m_task(std::make_shared<QPointer<Task>>()) {
        QMetaObject::invokeMethod(inquiryThread(), [request = std::move(request), then = std::move(then),
                                                    mine = QPointer<QObject>(this), kept = m_task] {
            auto *task = new Task(request, inquiryThread());
            *kept = task;
            connect(task, &Task::finished, task, [task, then, mine](const Answer &answer) {
                task->deleteLater();
                // Through the application: the one who asked may be gone, and must not be touched from here.
                QMetaObject::invokeMethod(
                    qApp,
                    [then, mine, answer] {
                        if (mine)
                            then(answer);
                    },
                    Qt::QueuedConnection);
            });
            task->start();
        });
    }
    ~Inquiry() override {
        QMetaObject::invokeMethod(inquiryThread(), [kept = m_task] {
            if (*kept)
                (*kept)->cancel();
        });
    }

private:
    std::shared_ptr<QPointer<Task>> m_task; // read and written in the other thread only
};

} // namespace warpwright
