// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/workspace_lock.h"

#include "toolchain/base/text_file.h"
#include "toolchain/process/lifetime_lock.h"

#include <QFileInfo>
#include <QStorageInfo>

#include <unistd.h>

namespace warpwright {
namespace {

bool canWriteInto(const QString &folder) {
    // The state folder is made on first use: the nearest folder that is there decides.
    return ::access(QFile::encodeName(nearestFolder(folder)).constData(), W_OK | X_OK) == 0;
}

bool isFull(const QString &folder) {
    constexpr qint64 least = 4096; // a block: what a file of one line takes
    const QStorageInfo disk(folder);
    return disk.isValid() && disk.bytesAvailable() < least;
}

// History, drafts and builds of a person's git repository are none of its files: a checkout that brought
// older ones back would take iterations away. Whoever wants them there empties the file, and it stays as it
// is.
void keepOutOfGit(const QString &folder) {
    const QString file = folder + QStringLiteral("/.gitignore");
    if (QFileInfo(folder).fileName() == QLatin1String(".warpwright") && !QFileInfo::exists(file))
        (void)writeFileAtomically(file, "*\n!task.json\n"); // it can do without
}

} // namespace

WorkspaceLock::WorkspaceLock(const QString &stateFolder) : m_path(stateFolder + QStringLiteral("/lock")) {}
WorkspaceLock::~WorkspaceLock() = default;
WorkspaceLock::WorkspaceLock(WorkspaceLock &&) noexcept = default;
WorkspaceLock &WorkspaceLock::operator=(WorkspaceLock &&) noexcept = default;

WorkspaceLock::State WorkspaceLock::take() {
    if (m_file && m_file->isLocked())
        return m_state;
    m_holder = {};
    m_message.clear();
    const QString folder = QFileInfo(m_path).path();
    if (!canWriteInto(folder)) {
        m_message =
            QStringLiteral("Nothing can be written into \"%1\": the workspace is read-only.").arg(folder);
        return m_state = State::NotNeeded;
    }
    if (const Result<void> made = makeFolder(folder); !made.hasValue()) {
        m_message = made.message();
        return m_state = State::Failed;
    }
    m_file = std::make_unique<LifetimeLock>(m_path);
    if (m_file->tryTake()) {
        keepOutOfGit(folder);
        return m_state = State::Held;
    }
    if (m_file->error() != QLockFile::LockFailedError || m_file->isObstructed()) {
        const QString after =
            QStringLiteral(" Until it is written, another window that opens this workspace is not noticed.");
        m_message =
            QStringLiteral("Cannot write the lock \"%1\": ").arg(m_path) +
            (m_file->isObstructed() ? QStringLiteral("something that is no file lies there. Take it away.")
             : m_file->error() == QLockFile::PermissionError
                 ? QStringLiteral("permission denied. Give yourself the right to write there.")
             : isFull(folder) ? QStringLiteral("the disk is full. Free some space on it, and open the "
                                               "workspace again.")
                              : QStringLiteral("the disk cannot be written, or keeps no locks.")) +
            after;
        return m_state = State::Failed;
    }
    if (!m_file->getLockInfo(&m_holder.processId, &m_holder.host, &m_holder.program))
        m_holder = {};
    const QString program = m_holder.program.isEmpty() ? QStringLiteral("another program") : m_holder.program;
    const QString process =
        m_holder.processId == 0 ? QString()
        : m_holder.host.isEmpty() || m_holder.host == QSysInfo::machineHostName()
            ? QStringLiteral(" (process %1)").arg(m_holder.processId)
            : QStringLiteral(" (process %1 on %2)").arg(m_holder.processId).arg(m_holder.host);
    m_message =
        QStringLiteral("This workspace is open in %1%2, so it is read-only here. Close it there to write "
                       "here. The lock is \"%3\".")
            .arg(program, process, m_path);
    return m_state = State::HeldByOther;
}

void WorkspaceLock::release() {
    m_file.reset();
    m_state = State::Failed;
    m_message.clear();
}

} // namespace warpwright
