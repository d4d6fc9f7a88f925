// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/window_state.h"

#include "toolchain/text_file.h"

#include <QDateTime>
#include <QJsonDocument>

#include <mutex>

namespace warpwright {
namespace {

constexpr qsizetype workspacesAtMost = 50;

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

// Each window knows its own workspaces best.
QJsonObject joined(QJsonObject ours, const QJsonObject &onDisk) {
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
};

WindowState::WindowState(QString file)
    : m_file(std::move(file)),
      m_json(readState(m_file)),
      m_given(m_json),
      m_written(std::make_shared<Written>()) {}

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
    if (m_json == m_given)
        return {};
    m_given = m_json;
    return [file = m_file, json = m_json, written = m_written, number = ++m_number] {
        const std::lock_guard guard(written->mutex);
        if (number < written->newest)
            return;
        written->newest = number;
        // A layout that could not be kept is not worth a message.
        (void)writeFileAtomically(file, QJsonDocument(joined(json, readState(file))).toJson());
    };
}

} // namespace warpwright
