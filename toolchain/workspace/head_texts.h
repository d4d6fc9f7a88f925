// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QByteArray>
#include <QHash>
#include <QString>
#include <QStringList>

namespace warpwright {

/// What a person's own git repository holds of a folder's files at HEAD. It is only read.
struct HeadTexts {
    QString commit;                   ///< its name in hexadecimal
    QHash<QString, QByteArray> texts; ///< by the names asked for; without those that HEAD does not have

    bool operator==(const HeadTexts &) const = default;
};

/// `files`: relative to the folder. An error says why there is no HEAD to compare with.
[[nodiscard]] Result<HeadTexts> textsAtHead(const QString &folder, const QStringList &files);

} // namespace warpwright
