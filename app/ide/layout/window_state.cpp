// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/layout/window_state.h"

#include "toolchain/base/text_file.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <mutex>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace warpwright {
namespace {

constexpr qsizetype workspacesAtMost = 50;
constexpr auto lockPatience =
    std::chrono::seconds(3); // a write takes milliseconds: it is a window that stands still
constexpr auto lockPause =
    std::chrono::microseconds(200); // between two writes in a row it is free as shortly

QString usedKey() {
    return QStringLiteral("used");
}

QString workspacesKey() {
    return QStringLiteral("workspaces");
}

QJsonObject readState(const QString &file) {
    const Result<QByteArray> text = readTextFile(file);
    return text.hasValue() ? QJsonDocument::fromJson(text.value()).object() : QJsonObject();
}

QString usedAt(const QJsonValue &entry) {
    return entry.toObject()[usedKey()].toString();
}

void forgetOldest(QJsonObject &workspaces) {
    while (workspaces.size() > workspacesAtMost) {
        auto oldest = workspaces.begin();
        for (auto other = workspaces.begin(); other != workspaces.end(); ++other)
            if (usedAt(other.value()) < usedAt(oldest.value()))
                oldest = other;
        workspaces.erase(oldest);
    }
}

// One window at a time reads, joins and writes. Where no lock can be had the write goes on without.
class StateLock {
public:
    explicit StateLock(const QString &file)
        : m_file(::open(QFile::encodeName(file + QStringLiteral(".lock")).constData(),
                        O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
        const auto end = std::chrono::steady_clock::now() + lockPatience;
        while (m_file >= 0 && ::flock(m_file, LOCK_EX | LOCK_NB) != 0 &&
               (errno == EWOULDBLOCK || errno == EINTR) && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(lockPause);
    }
    ~StateLock() {
        if (m_file >= 0)
            ::close(m_file);
    }
    StateLock(const StateLock &) = delete;
    StateLock &operator=(const StateLock &) = delete;

private:
    int m_file;
};

// What this window has not changed since `before` is as others wrote it, and each knows its own workspaces
// best. Which one is opened the next time says whoever writes last.
QJsonObject joined(QJsonObject ours, const QJsonObject &before, const QJsonObject &onDisk) {
    for (auto entry = onDisk.begin(); entry != onDisk.end(); ++entry)
        if (entry.key() != workspacesKey() && entry.key() != QLatin1String("open") &&
            ours.value(entry.key()) == before.value(entry.key())) // [] would make what is not there
            ours[entry.key()] = entry.value();
    QJsonObject all = ours[workspacesKey()].toObject();
    const QJsonObject theirs = onDisk[workspacesKey()].toObject();
    for (auto entry = theirs.begin(); entry != theirs.end(); ++entry)
        if (usedAt(entry.value()) > usedAt(all.value(entry.key())))
            all[entry.key()] = entry.value();
    forgetOldest(all);
    ours[workspacesKey()] = all;
    return ours;
}

} // namespace

struct WindowState::Written {
    std::mutex mutex;
    quint64 newest = 0;
    QJsonObject before; ///< ours, as it came onto the disk
    std::atomic<bool> hasFailed = false;
};

WindowState::WindowState(QString file)
    : m_file(std::move(file)),
      m_json(readState(m_file)),
      m_given(m_json),
      m_written(std::make_shared<Written>()) {
    m_written->before = m_json;
}

QByteArray WindowState::bytes(const QString &name) const {
    return QByteArray::fromBase64(m_json[name].toString().toLatin1());
}

void WindowState::setBytes(const QString &name, const QByteArray &bytes) {
    m_json[name] = QString::fromLatin1(bytes.toBase64());
}

QJsonObject WindowState::workspace(const QString &folder) const {
    return m_json[workspacesKey()].toObject()[folder].toObject();
}

void WindowState::setWorkspace(const QString &folder, const QJsonObject &state) {
    QJsonObject all = m_json[workspacesKey()].toObject();
    QJsonObject before = all[folder].toObject();
    before.remove(usedKey());
    if (all.contains(folder) && before == state)
        return; // nothing to write because of a time
    QJsonObject entry = state;
    entry[usedKey()] = QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs);
    all[folder] = entry;
    forgetOldest(all);
    m_json[workspacesKey()] = all;
}

std::function<void()> WindowState::writer() {
    if (m_json == m_given && !m_written->hasFailed)
        return {};
    m_given = m_json;
    return [file = m_file, json = m_json, written = m_written, number = ++m_number] {
        const std::lock_guard guard(written->mutex);
        if (number < written->newest)
            return;
        written->newest = number;
        // A layout that could not be kept is not worth a message, but another try.
        static_cast<void>(makeFolder(QFileInfo(file).path()));
        const StateLock lock(file);
        const QJsonObject all = joined(json, written->before, readState(file));
        written->hasFailed = !writeFileAtomically(file, QJsonDocument(all).toJson()).hasValue();
        if (!written->hasFailed)
            written->before = json;
    };
}

} // namespace warpwright
