// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QByteArray>
#include <QString>

namespace warpwright {

enum class TextEncoding { Utf8, Utf8Bom, Utf16Le, Utf16Be, Latin1 };
enum class LineEnding {
    Lf,
    CrLf,
    Mixed, ///< kept in the text as the file has them
};

/// A source as an editor shows it, and what it takes to write it back with the same bytes.
struct SourceText {
    QString text; ///< lines end in LF, except where they are Mixed
    TextEncoding encoding = TextEncoding::Utf8;
    LineEnding lineEnding = LineEnding::Lf;
    bool isReadOnlyKind = false; ///< only a part of the file or none of it is here: never to be written
    bool isWritable = true;      ///< the file's permissions let someone write
    bool hasLongLine = false;    ///< lines are shown in part, and want no colours
    QString note;                ///< what a person should know of it, a sentence or more; mostly empty
    QByteArray hash;             ///< of the file's bytes

    bool operator==(const SourceText &) const = default;
};

/// Files over this many bytes are shown in part: their first `shownPart` bytes.
inline constexpr qint64 largestSource = 8 * 1024 * 1024;
inline constexpr qint64 shownPart = 1024 * 1024;
/// A line over this many characters takes an editor so long at each key (1 s for 2 MB, measured) that it is
/// cut.
inline constexpr qsizetype longestLine = 20'000;
inline constexpr qsizetype shownOfLongLine = 4'000;

/// Any file: a binary one comes without text, a huge one with its first part, one that is not UTF-8 as
/// Latin-1. Only what cannot be read at all is an error. May take seconds: for the pool.
[[nodiscard]] Result<SourceText> readSourceText(const QString &path);
/// Gives the hash of what was written. Atomic: at any time there is the old text or the new one. Follows
/// links, keeps permissions, encoding and line ends; what the encoding cannot hold is an error.
[[nodiscard]] Result<QByteArray> writeSourceText(const QString &path, const SourceText &source);

/// The two halves of it, for texts that lie elsewhere.
[[nodiscard]] SourceText decodeSourceText(const QByteArray &bytes);
[[nodiscard]] Result<QByteArray> encodeSourceText(const SourceText &source);
/// The hash that SourceText carries; empty: there is no such file.
[[nodiscard]] QByteArray hashOfFile(const QString &path);

} // namespace warpwright
