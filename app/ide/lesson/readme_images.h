// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>

#include <map>

namespace warpwright {

/// The pictures of a Markdown text, by the names that it gives them.
using ReadmeImages = std::map<QString, QImage>;

/// A README.md whose pictures can be shown: those that lie in its folder. Nothing is fetched from elsewhere.
struct IllustratedText {
    QString text; ///< what is no picture in the folder stands in words, with the reason
    ReadmeImages images;
};

/// Whether they were read of the same files; no pixel is looked at.
[[nodiscard]] bool areSame(const ReadmeImages &one, const ReadmeImages &other);

/// PNG, JPEG and SVG below `folder`. Reads and decodes: not for a window's thread.
[[nodiscard]] IllustratedText withImages(const QString &markdown, const QString &folder);

} // namespace warpwright
