// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/result.h"

#include <QProcessEnvironment>
#include <QString>

namespace warpwright {

/// The C++ compiler of this machine.
struct HostCompiler {
    QString path;        ///< absolute
    QString version;     ///< "12.2.0"
    QString description; ///< the first line of --version
    QString processor; ///< what -march=native stands for here: objects built for one processor must not serve
                       ///< another

    bool operator==(const HostCompiler &) const = default;
};

/// $CXX, else g++ of PATH. The message says how to install one.
[[nodiscard]] Result<QString> findHostCompiler(const QProcessEnvironment &environment);

/// The text of `--version` as a compiler.
[[nodiscard]] Result<HostCompiler> readHostCompiler(const QString &path, const QByteArray &versionText);

} // namespace warpwright
