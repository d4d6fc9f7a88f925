// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/device_queue/device_gate.h"

#include "toolchain/text_file.h"

#include <QFile>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace warpwright {
namespace {

void closeFile(int &handle) {
    if (handle >= 0)
        ::close(std::exchange(handle, -1));
}

// An empty file takes no room, and one that is there needs no right to write; some file systems give the
// lock only to those who may.
int openGate(const QString &path) {
    const QByteArray name = QFile::encodeName(path);
    const int file = ::open(name.constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    const int problem = errno;
    const int readable = file >= 0 ? file : ::open(name.constData(), O_RDONLY | O_CLOEXEC);
    errno = problem; // why it cannot be made says more than that it is not there
    return readable;
}

} // namespace

DeviceGate::DeviceGate(QString folder, const QString &device)
    : m_folder(std::move(folder)), m_path(m_folder + QLatin1Char('/') + device + QStringLiteral(".gate")) {}

DeviceGate::~DeviceGate() {
    release();
}

void DeviceGate::release() {
    closeFile(m_file);
    closeFile(m_shared);
}

DeviceGate::Answer DeviceGate::tryTake() {
    if (m_file >= 0)
        return Answer::Held;
    const Answer ofFile = tryFile();
    if (ofFile != Answer::Impossible)
        return ofFile;
    return tryFolder(LOCK_EX, m_file);
}

DeviceGate::Answer DeviceGate::tryFile() {
    m_file = openGate(m_path);
    if (m_file < 0) {
        m_why = qt_error_string(errno);
        return Answer::Impossible;
    }
    if (::flock(m_file, LOCK_EX | LOCK_NB) != 0) {
        const int problem = errno;
        closeFile(m_file);
        m_why = qt_error_string(problem);
        return problem == EWOULDBLOCK || problem == EINTR ? Answer::Taken : Answer::Impossible;
    }
    // One who had no file of its own has the whole folder.
    if (tryFolder(LOCK_SH, m_shared) != Answer::Taken)
        return Answer::Held;
    closeFile(m_file);
    return Answer::Taken;
}

DeviceGate::Answer DeviceGate::tryFolder(int how, int &handle) {
    handle =
        ::open(QFile::encodeName(nearestFolder(m_folder)).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle >= 0 && ::flock(handle, how | LOCK_NB) == 0)
        return Answer::Held;
    const int problem = errno;
    closeFile(handle);
    if (problem == EWOULDBLOCK || problem == EINTR)
        return Answer::Taken;
    m_why = qt_error_string(problem);
    return Answer::Impossible;
}

} // namespace warpwright
