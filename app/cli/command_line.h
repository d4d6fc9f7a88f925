// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

#include <QString>
#include <QStringList>

namespace warpwright {

/// What the person typed, understood.
struct CommandLine {
    enum class Kind { Run, Help, Error };

    Kind kind = Kind::Help;
    QString text; ///< of Help and Error: what to print
    bool asksJson = false;
    bool refusesWithEvaluation = false; ///< see CommandContext
    std::function<int(const CommandContext &)> run;
};

/// Never fails: what cannot be understood is an Error with its sentence. `arguments` begin with the program's
/// name.
[[nodiscard]] CommandLine parseCommandLine(const QStringList &arguments);

} // namespace warpwright
