// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QString>

namespace warpwright {

/// What the window looked like when it was last closed: sizes, docks, and for each workspace the open file
/// and where the cursor stood. Kept apart from the settings, for nobody chooses it. A broken file is only a
/// forgotten layout.
class WindowState {
public:
    /// `file`: window.json in the data folder. Reads it.
    explicit WindowState(QString file);

    [[nodiscard]] QByteArray bytes(const QString &name) const;
    void setBytes(const QString &name, const QByteArray &bytes);
    [[nodiscard]] QJsonObject workspace(const QString &folder) const;
    /// The 50 last used are kept.
    void setWorkspace(const QString &folder, const QJsonObject &state);
    /// Writes the file; small, so it may be called while the window closes.
    void save() const;

private:
    QString m_file;
    QJsonObject m_json;
};

} // namespace warpwright
