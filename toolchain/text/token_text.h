// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <optional>

namespace warpwright {

/// The text of a C++ or CUDA source with its comments blanked: what a compiler makes an object from.
///
/// Every line stays on its line, and what follows a comment on the same line stays in its column, so that
/// line tables and the places in messages hold. Raw strings, character literals, digit separators and
/// continued lines are told apart.
///
/// Nothing: it cannot be told without doubt what is a comment here (a literal that does not end on its line,
/// a comment that a continued line goes on in, a path with // in angle brackets), or the object depends on
/// more than tokens (__TIME__, __DATE__, __TIMESTAMP__). Then the plain text has to count.
[[nodiscard]] std::optional<QByteArray> textWithoutComments(const QByteArray &text);

} // namespace warpwright
