// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace warpwright {

/// A picture that a README.md names, and whether it can be shown: one in its folder can, nothing is fetched
/// from elsewhere.
struct ReadmePicture {
    QString name; ///< as the text has it
    QString alt;
    qsizetype start = 0, end = 0; ///< of its place in the text
    QString file;                 ///< absolute; empty: there is none to show
    QString whyNot;               ///< empty: it can be shown, as far as its first bytes tell

    bool operator==(const ReadmePicture &) const = default;
};

/// Those of `markdown`, in its order. Reads their first bytes.
[[nodiscard]] std::vector<ReadmePicture> readmePictures(const QString &markdown, const QString &folder);

/// "img/a.png: there is no such file", of `folder`/README.md, each once.
[[nodiscard]] QStringList picturesNotShown(const QString &folder);

} // namespace warpwright
