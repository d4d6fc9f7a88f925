// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/compile/object_cache.h"

#include <QString>
#include <QStringList>

namespace warpwright {

/// The program `warpwright-nvcc` (passes/), which runs nvcc's passes side by side, as CompileRun starts it:
/// in front of nvcc, in the sandbox. Empty: not installed, or switched off by WARPWRIGHT_PASSES=0.
[[nodiscard]] QString findPasses();

/// What stands before nvcc's own words. `keptFolder`: nvcc's -keep-dir. `moduleKey`: under which
/// keepGuesses() kept what cudafe++ chose for this source the last time, and the stub that cicc wrote; a
/// wrong one costs time and nothing else.
[[nodiscard]] QStringList passesWords(const QString &program, const ObjectCache &cache,
                                      const QString &moduleKey, const QString &keptFolder);
void keepGuesses(const ObjectCache &cache, const QString &moduleKey, const QString &keptFolder);

/// How the passes were run, in words for a log; empty: nobody told.
[[nodiscard]] QString passesTold(const QString &keptFolder);

} // namespace warpwright
