// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <functional>
#include <memory>

namespace warpwright {

/// What the window looked like when somebody last saw it: sizes, docks, and for each workspace the open file
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
    /// Writes it as it is now, on whichever thread it is called; null: the disk has it already. Of two, the
    /// later one stays, in whatever order they are called. What other windows wrote meanwhile stays, but for
    /// what this one has changed. After a write that failed the next one is due although nothing has changed.
    [[nodiscard]] std::function<void()> writer();

private:
    struct Written;

    QString m_file;
    QJsonObject m_json;
    QJsonObject m_given; ///< to the last writer
    std::shared_ptr<Written> m_written;
    quint64 m_number = 0;
};

} // namespace warpwright
