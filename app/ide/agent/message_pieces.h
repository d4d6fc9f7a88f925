// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace warpwright {

/// A part of a text that can be laid out alone.
struct MessagePiece {
    QString text;
    bool joinsNext = false; ///< nothing is between it and the next: they are one block of code, or one text

    bool operator==(const MessagePiece &) const = default;
};

/// A text that grows at its end changes only its last piece or two: what came before needs no second layout.
/// Markdown is cut at blank lines that no list or quotation spans, around blocks of code, and within long
/// ones, each part fenced like the whole. What is short stays one piece.
[[nodiscard]] std::vector<MessagePiece> markdownPieces(const QString &text);
/// Text without marks, cut at the ends of lines.
[[nodiscard]] std::vector<MessagePiece> plainPieces(const QString &text);

} // namespace warpwright
