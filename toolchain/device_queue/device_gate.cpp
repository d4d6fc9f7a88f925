// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/device_queue/device_gate.h"

#include "toolchain/base/text_file.h"

#include <QFile>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
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

bool isAt(int file, const QString &path) {
    struct stat ours {
    }, there{};
    return ::fstat(file, &ours) == 0 && ::stat(QFile::encodeName(path).constData(), &there) == 0 &&
           ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

} // namespace

DeviceGate::DeviceGate(QString folder, const QString &device)
    : m_folder(std::move(folder)), m_path(m_folder + QLatin1Char('/') + device + QStringLiteral(".gate")) {}

DeviceGate::~DeviceGate() {
    release();
}

void DeviceGate::release() {
    for (int &file : m_files)
        closeFile(file);
    m_files.clear();
    closeFile(m_inFolder);
    m_isHeld = false;
}

DeviceGate::Answer DeviceGate::tryTake() {
    if (m_isHeld)
        return Answer::Held;
    Answer answer = tryFile();
    if (answer == Answer::Impossible)
        answer = tryFolder(LOCK_EX);
    m_isHeld = answer == Answer::Held;
    if (!m_isHeld)
        freeFiles();
    return answer;
}

void DeviceGate::stay() {
    if (!m_isHeld || m_files.empty() || isAt(m_files.back(), m_path) || !makeFolder(m_folder).hasValue())
        return;
    // One who made the file first has it: nothing keeps him off any more.
    if (openFile())
        ::flock(m_files.back(), LOCK_EX | LOCK_NB);
}

DeviceGate::Answer DeviceGate::tryFile() {
    const bool isThere = openFile();
    for (const int file : m_files)
        if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
            const int problem = errno;
            m_why = qt_error_string(problem);
            return problem == EWOULDBLOCK || problem == EINTR ? Answer::Taken : Answer::Impossible;
        }
    if (!isThere)
        return Answer::Impossible;
    // One who had no file of its own has the whole folder.
    return tryFolder(LOCK_SH) == Answer::Taken ? Answer::Taken : Answer::Held;
}

bool DeviceGate::openFile() {
    if (!m_files.empty() && isAt(m_files.back(), m_path))
        return true;
    const int file = openGate(m_path);
    if (file >= 0)
        m_files.push_back(file);
    else
        m_why = qt_error_string(errno);
    return file >= 0;
}

void DeviceGate::freeFiles() const {
    for (const int file : m_files)
        ::flock(file, LOCK_UN);
}

DeviceGate::Answer DeviceGate::tryFolder(int how) {
    m_inFolder =
        ::open(QFile::encodeName(nearestFolder(m_folder)).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (m_inFolder >= 0 && ::flock(m_inFolder, how | LOCK_NB) == 0)
        return Answer::Held;
    const int problem = errno;
    closeFile(m_inFolder);
    if (problem == EWOULDBLOCK || problem == EINTR)
        return Answer::Taken;
    m_why = qt_error_string(problem);
    return Answer::Impossible;
}

} // namespace warpwright
