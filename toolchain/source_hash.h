// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/result.h"

#include <QByteArray>
#include <QHash>
#include <QString>
#include <QStringList>

namespace warpwright {

/// Hashes a source together with every file of the workspace that it may include.
///
/// It follows literal includes that lie inside the workspace. Where a file includes by a macro, or where
/// flags include something (-include, -I), the text alone does not tell, and every header of the workspace
/// counts. Too much is only a compilation too many; too little would be a stale object. System headers stand
/// in the key as tool and torch versions.
class SourceHash {
public:
    explicit SourceHash(QString workspace);

    /// `name`: relative to the workspace. `countsAllHeaders`: the flags may include anything.
    [[nodiscard]] Result<QByteArray> of(const QString &name, bool countsAllHeaders);

private:
    struct Text {
        QByteArray hash;
        QStringList includes; ///< absolute paths in the workspace that may be meant
        bool includesByMacro = false;
    };

    [[nodiscard]] const Text *read(const QString &path);
    [[nodiscard]] QStringList allHeaders() const;

    QString m_workspace;
    QHash<QString, Text> m_texts;
    QString m_message;
};

} // namespace warpwright
