// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace warpwright {

/// A run that another program works on now looks, by its record, like one whose program died. That program's
/// process; 0: there is one, and it is not known which; empty: there is none. Reads the locks alone.
[[nodiscard]] std::optional<qint64> otherProcessAt(const QString &stateFolder, const QString &run);
/// The same of whichever run of a workspace.
[[nodiscard]] std::optional<qint64> otherProcessAt(const QString &stateFolder);
/// «runs in another window (process 22727)»
[[nodiscard]] QString runsElsewhereWords(qint64 process);

} // namespace warpwright
