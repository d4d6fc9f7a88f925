// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/verdict.h"

#include <QString>

namespace warpwright {

/// What the stream we print to can show. Colour only ever repeats what a word says.
struct Terminal {
    bool isTerminal = false; ///< a person looks at it right now; else it is a pipe or a file
    bool hasColours = false; ///< a terminal, NO_COLOR is not set, TERM is not "dumb"
    int columns = 100;

    /// For STDOUT_FILENO or STDERR_FILENO.
    static Terminal of(int descriptor);

    bool operator==(const Terminal &) const = default;
};

enum class Ink { Plain, Good, Bad, Unsure, Faint, Strong };

[[nodiscard]] QString inked(const Terminal &terminal, Ink ink, const QString &text);

/// Green for a pass, red for a bad candidate or machine, yellow for what is undecided.
[[nodiscard]] Ink inkOf(Verdict verdict);
[[nodiscard]] Ink inkOf(StageStatus status);

/// Control characters out of other people's text: a kernel's message must not move our cursor.
[[nodiscard]] QString printable(const QString &text);

/// Breaks at spaces so that no line is longer than `columns`; every line but the first begins with `indent`
/// spaces.
[[nodiscard]] QString wrapped(const QString &text, int columns, int indent);

/// Everything at once, as UTF-8. A closed pipe is nobody's fault and is passed over.
void print(int descriptor, const QString &text);

} // namespace warpwright
