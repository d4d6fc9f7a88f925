// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/files/file_walk.h"

#include <QCoreApplication>
#include <QKeyEvent>

#include <utility>

namespace warpwright {

FileWalk::FileWalk(QObject *parent) : QObject(parent) {}

void FileWalk::setFiles(const QStringList &files) {
    m_order.removeIf([&files](const QString &file) { return !files.contains(file); });
    for (const QString &file : files)
        if (!m_order.contains(file))
            m_order << file;
    if (m_at >= m_order.size())
        m_at = 0;
}

void FileWalk::use(const QString &file) {
    if (m_isWalking || !m_order.contains(file))
        return;
    m_order.move(m_order.indexOf(file), 0);
}

QString FileWalk::step(int by) {
    const qsizetype count = m_order.size();
    if (count < 2)
        return {};
    if (!std::exchange(m_isWalking, true)) {
        m_at = 0;
        qApp->installEventFilter(this);
    }
    m_at = (m_at + by + count) % count;
    return m_order[m_at];
}

void FileWalk::end() {
    if (!std::exchange(m_isWalking, false))
        return;
    qApp->removeEventFilter(this);
    if (m_at < m_order.size())
        use(m_order[m_at]);
    m_at = 0;
}

bool FileWalk::eventFilter(QObject *watched, QEvent *event) {
    const bool isLetGo =
        event->type() == QEvent::KeyRelease && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Control;
    if (isLetGo || event->type() == QEvent::WindowDeactivate || event->type() == QEvent::MouseButtonPress)
        end();
    return QObject::eventFilter(watched, event);
}

} // namespace warpwright
