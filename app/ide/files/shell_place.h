// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/environment/toolchain_probe.h"

#include <QProcessEnvironment>
#include <QStringList>

#include <functional>

namespace warpwright {

/// Where a shell is to work, so that it finds the programs that are used here: a folder, and what comes first
/// in PATH.
struct ShellPlace {
    QString folder;
    QStringList programs; ///< folders: ours, those of Python and of CUDA

    bool operator==(const ShellPlace &) const = default;
};

[[nodiscard]] ShellPlace shellPlace(const QString &folder, const QString &ownPrograms,
                                    const std::optional<Toolchain> &toolchain);

struct TerminalCommand {
    QString program;
    QStringList arguments;

    bool operator==(const TerminalCommand &) const = default;
};

/// The terminal of this desktop with a shell in it: $TERMINAL, else the first of those known that is in PATH.
/// `find`: the whole path of a program; empty: it is not there.
[[nodiscard]] Result<TerminalCommand> terminalFor(const ShellPlace &place,
                                                  const QProcessEnvironment &environment,
                                                  const std::function<QString(const QString &)> &find);

} // namespace warpwright
