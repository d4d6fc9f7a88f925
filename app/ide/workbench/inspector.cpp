// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/workbench/inspector.h"

#include "toolchain/environment/inquiry.h"

#include <functional>

namespace warpwright {

Inspector::Inspector(QObject *parent) : QObject(parent), m_run(std::make_shared<QPointer<InspectionRun>>()) {}

Inspector::~Inspector() {
    stopOlder();
}

void Inspector::stopOlder() {
    QMetaObject::invokeMethod(inquiryThread(), [run = m_run] {
        if (*run)
            (*run)->cancel();
    });
}

void Inspector::cancel() {
    (void)m_jobs.next();
    m_isRunning = false;
    stopOlder();
}

void Inspector::start(const InspectionRequest &request) {
    stopOlder();
    m_isRunning = true;
    const int number = m_jobs.next();
    // Through the application: whoever asked may be gone by then, and must not be touched from there.
    const auto answer = [mine = QPointer<Inspector>(this), number](std::function<void(Inspector &)> tell) {
        QMetaObject::invokeMethod(
            qApp,
            [mine, number, tell = std::move(tell)] {
                if (!mine || mine->m_jobs.isStale(number))
                    return;
                mine->m_isRunning = false;
                tell(*mine);
            },
            Qt::QueuedConnection);
    };
    QMetaObject::invokeMethod(inquiryThread(), [request, run = m_run, answer] {
        auto *made = new InspectionRun(request, inquiryThread());
        *run = made;
        connect(made, &InspectionRun::finished, made, [made, answer](const Inspection &inspection) {
            made->deleteLater();
            answer([kept = std::make_shared<const Inspection>(inspection)](Inspector &mine) {
                emit mine.finished(kept);
            });
        });
        connect(made, &InspectionRun::failed, made, [made, answer](const QString &message) {
            made->deleteLater();
            answer([message](Inspector &mine) { emit mine.failed(message); });
        });
        made->start();
    });
}

} // namespace warpwright
