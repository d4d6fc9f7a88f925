// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace warpwright {

/// Where a workspace around a reference may lie.
struct WorkspacePlaces {
    QString modelFile;
    QString beside; ///< its own folder; of a file with another name than model.py a new one in there
    QString ours;   ///< below our data
    /// The file is used where it lies, and not copied.
    [[nodiscard]] bool isInPlace() const;
};
/// Reads files: not for a window's thread. `ours` is the first of its names that is free, or that holds this
/// very reference.
[[nodiscard]] WorkspacePlaces workspacePlaces(const QString &modelFile, const QString &data);

/// Asks which, or for another folder; opened and not waited for. `then` hears the folder, and is not called
/// where nothing was chosen.
void askForWorkspacePlace(QWidget *parent, const WorkspacePlaces &places,
                          const std::function<void(const QString &folder)> &then);

} // namespace warpwright
