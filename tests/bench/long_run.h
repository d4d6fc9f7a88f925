// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

/// Writes a run of so many iterations, seven events each, and gives its folder. Not by the writer: its fsync
/// would take most of the time.
[[nodiscard]] QString writeRun(const QString &state, int iterations);

/// The same iterations as the history of the workspace has them, without evaluations; false: it cannot be
/// written.
[[nodiscard]] bool writeHistory(const QString &state, int iterations);
