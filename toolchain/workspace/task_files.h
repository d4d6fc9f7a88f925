// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <vector>

namespace warpwright {

/// A file that a reference takes from beside itself.
struct TaskFile {
    QString name; ///< relative to the reference's folder
    QString path; ///< absolute; elsewhere where the reference is a link

    /// Larger ones are no text: they are linked or copied, and known by size and time.
    static constexpr qint64 mostTextBytes = 8LL * 1024 * 1024;
    [[nodiscard]] bool isText() const;
    /// What is compared to see whether the task has changed.
    [[nodiscard]] QByteArray state() const;

    bool operator==(const TaskFile &) const = default;
};

/// What belongs to a reference beside its own file, sorted by name: the modules and packages that it imports
/// from there, at any depth, and the files whose names stand in those texts as strings. The texts are read,
/// not run: a name that is put together while it runs is not found. Nothing of the candidate is among them.
[[nodiscard]] std::vector<TaskFile> neighboursOf(const QString &modelFile);

/// Where a Python file of a candidate's run folder lies in the workspace; a ModelNew that stands in model.py
/// runs as model_new.py.
[[nodiscard]] QString sourceOfPython(const QString &folder, const QString &name);

/// Names of configurations beside a reference that neither it nor the judge reads.
[[nodiscard]] QStringList unreadConfigs(const QString &modelFile);

} // namespace warpwright
