// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace warpwright {

/// What a compiler says as a value, for who reads its text line by line, and for all who only pass it on.
enum class Severity { Note, Warning, Error, Fatal };

/// "note", "warning", "error", "fatal".
[[nodiscard]] QString severityName(Severity severity);

/// A remark that belongs to a diagnostic: where it was included or instantiated from, candidates, hints.
struct DiagnosticNote {
    QString file;
    int line = 0;
    int column = 0;
    QString message;

    bool operator==(const DiagnosticNote &) const = default;
};

/// One thing a tool said about the text.
struct Diagnostic {
    QString file; ///< relative to the workspace where it lies inside, else as the tool said; empty: no place
                  ///< (linker, options)
    int line = 0; ///< from 1; 0: unknown
    int column = 0;
    Severity severity = Severity::Error;
    QString message; ///< without file, severity and trailing option
    QString option;  ///< "-Wunused-variable", "#177-D": what would silence it
    QString tool;    ///< "nvcc", "g++", "ptxas", "nvlink", "ld"
    std::vector<DiagnosticNote> notes;

    bool operator==(const Diagnostic &) const = default;
};

/// How many are errors or fatal.
[[nodiscard]] int countErrors(const std::vector<Diagnostic> &diagnostics);

} // namespace warpwright
