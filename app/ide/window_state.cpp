// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/window_state.h"

#include "toolchain/text_file.h"

#include <QDateTime>
#include <QJsonDocument>

namespace warpwright {
namespace {

constexpr qsizetype workspacesAtMost = 50;

QString usedKey() {
    return QStringLiteral("used");
}

} // namespace

WindowState::WindowState(QString file) : m_file(std::move(file)) {
    if (const Result<QByteArray> text = readTextFile(m_file); text.hasValue())
        m_json = QJsonDocument::fromJson(text.value()).object();
}

QByteArray WindowState::bytes(const QString &name) const {
    return QByteArray::fromBase64(m_json[name].toString().toLatin1());
}

void WindowState::setBytes(const QString &name, const QByteArray &bytes) {
    m_json[name] = QString::fromLatin1(bytes.toBase64());
}

QJsonObject WindowState::workspace(const QString &folder) const {
    return m_json[QStringLiteral("workspaces")].toObject()[folder].toObject();
}

void WindowState::setWorkspace(const QString &folder, const QJsonObject &state) {
    QJsonObject all = m_json[QStringLiteral("workspaces")].toObject();
    QJsonObject entry = state;
    entry[usedKey()] = QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs);
    all[folder] = entry;
    while (all.size() > workspacesAtMost) {
        auto oldest = all.begin();
        for (auto other = all.begin(); other != all.end(); ++other)
            if (other.value().toObject()[usedKey()].toString() <
                oldest.value().toObject()[usedKey()].toString())
                oldest = other;
        all.erase(oldest);
    }
    m_json[QStringLiteral("workspaces")] = all;
}

void WindowState::save() const {
    // A layout that could not be kept is not worth a message when the window closes.
    (void)writeFileAtomically(m_file, QJsonDocument(m_json).toJson());
}

} // namespace warpwright
