// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace warpwright {

/// The C++ compiler of this machine.
struct HostCompiler {
    QString path;        ///< absolute
    QString version;     ///< "12.2.0"
    QString description; ///< the first line of --version
    QString processor; ///< what -march=native stands for here: objects built for one processor must not serve
                       ///< another
    QString linker;    ///< "lld", for -fuse-ld; empty: the compiler's own
    QString linkerIdentity; ///< which build of it: two of them may make two extensions

    bool operator==(const HostCompiler &) const = default;
    [[nodiscard]] bool isGcc() const {
        return !description.contains(QLatin1String("clang"), Qt::CaseInsensitive);
    }
};

/// $CXX, else g++ of PATH. The message says how to install one.
[[nodiscard]] Result<QString> findHostCompiler(const QProcessEnvironment &environment);

/// A linker quicker than the compiler's own that it can be told to use and that a build finds: beside it or
/// in /usr/bin. Sets the two fields above; starts nothing.
void chooseLinker(HostCompiler &compiler, const QStringList &folders);
void chooseLinker(HostCompiler &compiler);

/// The text of `--version` as a compiler.
[[nodiscard]] Result<HostCompiler> readHostCompiler(const QString &path, const QByteArray &versionText);

} // namespace warpwright
