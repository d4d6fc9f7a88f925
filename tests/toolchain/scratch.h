// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/data_folders.h"

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

/// A temporary folder to build small worlds in.
class Scratch {
public:
    [[nodiscard]] QString path(const QString &name = {}) const;
    /// Makes the folders on the way; gives the absolute path.
    QString write(const QString &name, const QByteArray &text) const;
    /// The same, and it can be started.
    QString writeProgram(const QString &name, const QByteArray &text) const;
    /// A model.py with all that a task needs, in `folder`.
    QString writeModel(const QString &folder = {}) const;
    [[nodiscard]] warpwright::DataFolders folders() const;

private:
    QTemporaryDir m_folder;
};

/// A recorded text: "nvcc/undefined-13.0.88.txt".
[[nodiscard]] QByteArray recorded(const QString &name);
[[nodiscard]] QStringList allRecorded();
[[nodiscard]] QByteArray textOf(const QString &path);
[[nodiscard]] QString fakeTool();

/// Waits until a number is in the file and gives it; 0 after 5 s.
[[nodiscard]] qint64 pidFrom(const QString &file);
/// False for a zombie, too: it is dead.
[[nodiscard]] bool isAlive(qint64 pid);
