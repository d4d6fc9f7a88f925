// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/process/standard_input.h"

#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace warpwright {

StandardInput::StandardInput(QObject *parent)
    : QObject(parent), m_notifier(STDIN_FILENO, QSocketNotifier::Read) {
    connect(&m_notifier, &QSocketNotifier::activated, this, &StandardInput::read);
}

void StandardInput::read() {
    QByteArray bytes(64 * 1024, Qt::Uninitialized);
    const ssize_t count = ::read(STDIN_FILENO, bytes.data(), static_cast<std::size_t>(bytes.size()));
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count <= 0) {
        m_notifier.setEnabled(false);
        emit ended();
        return;
    }
    bytes.truncate(count);
    emit arrived(bytes);
}

bool writeStandardOutput(const QByteArray &bytes) {
    qsizetype written = 0;
    while (written < bytes.size()) {
        const ssize_t count = ::write(STDOUT_FILENO, bytes.constData() + written,
                                      static_cast<std::size_t>(bytes.size() - written));
        if (count > 0) {
            written += count;
        } else if (count < 0 && errno == EAGAIN) {
            pollfd room{STDOUT_FILENO, POLLOUT, 0};
            ::poll(&room, 1, -1);
        } else if (count < 0 && errno != EINTR) {
            return false;
        }
    }
    return true;
}

} // namespace warpwright
