// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace warpwright {

/// How a language server is started.
struct LanguageServerCommand {
    QString name;    ///< as people are told: "clangd"
    QString program; ///< absolute path
    QStringList arguments;
    QString folder; ///< the workspace; where it runs
    /// What a hover and a completion say of names that the server has no words for (cuda_words.h); empty:
    /// nothing.
    QString words = {};
    /// Holds what the server writes to its TMPDIR, and nothing else: of a killed one it is removed. Empty:
    /// the system's.
    QString temporary = {};

    bool operator==(const LanguageServerCommand &) const = default;
};

/// What has become of its process; the server tells it, and the process behind it lives through it.
enum class LanguageServerState { Off, Starting, Ready, Restarting, Failed };

} // namespace warpwright
