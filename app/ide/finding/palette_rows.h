// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/iteration_tree.h"
#include "widgets/popups/command_palette.h"

#include <QStringList>

class QAction;

namespace warpwright {

/// What a row of the palette stands for.
struct PaletteTarget {
    enum Kind { Action, File, Iteration };
    Kind kind = Action;
    QString name;   ///< of the action's object, or of the file in its workspace
    int number = 0; ///< of the iteration
};

[[nodiscard]] PaletteTarget paletteTarget(const QString &id);

/// In their order; those that are disabled with their reason.
[[nodiscard]] std::vector<PaletteRow> actionRows(const QList<QAction *> &actions);
/// Those of `recent` first, in its order, then the others as they come. `reference`: the name of model.py.
[[nodiscard]] std::vector<PaletteRow> fileRows(const QStringList &files, const QStringList &recent,
                                               const QString &reference);
/// The newest first: number and note, then verdict and speed-up.
[[nodiscard]] std::vector<PaletteRow> iterationRows(const IterationTree &tree);

} // namespace warpwright
