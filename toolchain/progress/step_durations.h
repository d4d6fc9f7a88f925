// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QString>

#include <optional>

namespace warpwright {

/// How long each sub-step took the last time, so that a person who waits knows for how long.
/// Kept in one small file; a file that cannot be read or written only means that nothing is known.
class StepDurations {
public:
    explicit StepDurations(QString file);

    [[nodiscard]] std::optional<double> lastSeconds(const QString &key) const;
    void remember(const QString &key, double seconds);
    /// Merges with what another process wrote meanwhile, and keeps the newest 2000 entries.
    void save();

private:
    struct Entry {
        double seconds = 0;
        qint64 at = 0; // seconds since 1970
    };

    static QHash<QString, Entry> load(const QString &file);

    QString m_file;
    QHash<QString, Entry> m_entries;
    QHash<QString, Entry> m_fresh;
};

} // namespace warpwright
