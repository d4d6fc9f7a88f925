// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/environment/inquiry.h"

#include <QThread>

namespace warpwright {
namespace {

class InquiryThread : public QObject {
public:
    InquiryThread() : QObject(qApp), m_there(new QObject) {
        m_thread.setObjectName(QStringLiteral("inquiries"));
        m_there->moveToThread(&m_thread);
        // Tasks end where they live: their processes are killed with them.
        connect(&m_thread, &QThread::finished, m_there, &QObject::deleteLater);
        m_thread.start();
    }
    ~InquiryThread() override {
        m_thread.quit();
        m_thread.wait();
    }
    [[nodiscard]] QObject *there() const { return m_there; }

private:
    QThread m_thread;
    QObject *m_there;
};

} // namespace

QObject *inquiryThread() {
    static QPointer<InquiryThread> only;
    static QPointer<QObject> there;
    if (QThread::currentThread() == qApp->thread() && !only) {
        only = new InquiryThread;
        there = only->there();
    }
    return there;
}

} // namespace warpwright
