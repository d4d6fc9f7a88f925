// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/verdict.h"

#include <QString>

namespace warpwright {

/// What the stream that a report goes to can show. Colour only ever repeats what a word says.
struct Terminal {
    bool isTerminal = false; ///< a person looks at it right now; else it is a pipe, a file or an answer
    bool hasColours = false;
    int columns = 100;

    bool operator==(const Terminal &) const = default;
};

enum class Ink { Plain, Good, Bad, Unsure, Faint, Strong };

[[nodiscard]] QString inked(const Terminal &terminal, Ink ink, const QString &text);

/// Green for a pass, red for a bad candidate or machine, yellow for what is undecided.
[[nodiscard]] Ink inkOf(Verdict verdict);
[[nodiscard]] Ink inkOf(StageStatus status);

/// What moves a cursor, or shows letters in another order than they stand in, out of other people's text:
/// each becomes a «?». Line ends and tabs stay.
[[nodiscard]] QString printable(const QString &text);
/// The same of a name or a title, which is one line.
[[nodiscard]] QString printableLine(QString text);

/// Breaks at spaces so that no line is longer than `columns`; every line but the first begins with `indent`
/// spaces.
[[nodiscard]] QString wrapped(const QString &text, int columns, int indent);

} // namespace warpwright
