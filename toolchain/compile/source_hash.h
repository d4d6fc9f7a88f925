// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QByteArray>
#include <QHash>
#include <QString>
#include <QStringList>

#include <optional>

namespace warpwright {

/// Hashes a source together with every file of the workspace that it may include.
///
/// It follows literal includes that lie inside the workspace. Where a file includes by a macro, or where
/// flags include something (-include, -I), the text alone does not tell, and every header of the workspace
/// counts. Too much is only a compilation too many; too little would be a stale object. System headers stand
/// in the key as tool and torch versions.
///
/// Comments do not count, lines do (token_text.h): messages and -lineinfo name lines.
class SourceHash {
public:
    /// `ignoresComments`: false where even they can change what a compiler does (-Wimplicit-fallthrough).
    explicit SourceHash(QString workspace, bool ignoresComments = true);

    /// `name`: relative to the workspace. `countsAllHeaders`: the flags may include anything.
    [[nodiscard]] Result<QByteArray> of(const QString &name, bool countsAllHeaders);
    /// That source and what it may include: absolute, and sorted but for the first, which is the source.
    [[nodiscard]] Result<QStringList> filesOf(const QString &name, bool countsAllHeaders);
    /// SHA-256 of the bytes of a file that was read for these, in hexadecimal digits; empty: it was not.
    [[nodiscard]] QString ofBytes(const QString &path) const;
    /// The hash without empty lines, for compilers that write no line tables. Nothing where the number of a
    /// line may get into the object: by a macro such as assert, which any header but C++'s own could bring
    /// along.
    [[nodiscard]] std::optional<QByteArray> withoutLines(const QString &name);

private:
    struct Text {
        QByteArray hash;
        QByteArray bytesHash;
        QByteArray linelessHash; ///< empty: lines count
        QStringList includes;    ///< absolute paths in the workspace that may be meant
        bool includesByMacro = false;
    };

    [[nodiscard]] const Text *read(const QString &path);
    [[nodiscard]] QByteArray hashOf(const QStringList &files, QByteArray Text::*hash);
    [[nodiscard]] QStringList allHeaders() const;

    QString m_workspace;
    bool m_ignoresComments;
    QHash<QString, Text> m_texts;
    QString m_message;
};

} // namespace warpwright
