// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <vector>

/// A text as lines that keep their ends, so that nothing of it is lost: CRLF, LF, a last line without either.
namespace warpwright {

/// Each with its end ("a\r\n", "b\n"); only the last may have none.
using TextLines = std::vector<QByteArray>;

[[nodiscard]] TextLines linesOf(const QByteArray &text);
[[nodiscard]] QByteArray joined(const TextLines &lines);

/// Lines `start` … `start + removed - 1` (from 0) become `inserted`. Only together with the text it is of
/// does it say what was removed.
struct TextEdit {
    int start = 0;
    int removed = 0;
    TextLines inserted;

    bool operator==(const TextEdit &) const = default;
};

/// What turns `before` into `after`, byte by byte, as git would say it, without context. From the top; starts
/// count in `before`, so they are made from the bottom up.
[[nodiscard]] std::vector<TextEdit> editsBetween(const TextLines &before, const TextLines &after);

/// The edit has to fit: 0 <= start, start + removed <= number of lines.
void apply(TextLines &lines, const TextEdit &edit);

} // namespace warpwright
