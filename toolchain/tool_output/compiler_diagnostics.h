// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <vector>

namespace warpwright {

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

/// Reads the text of nvcc (its front end, host compiler, ptxas and nvlink), g++ and ld, in any mixture.
/// Text that is no diagnostic is passed over. `workspace`: absolute folder that file names are made relative
/// to. At most `limit` diagnostics and 32 notes each; the rest of a flood is dropped.
[[nodiscard]] std::vector<Diagnostic> parseDiagnostics(const QByteArray &text, const QString &workspace,
                                                       int limit = 1000);

/// How many are errors or fatal.
[[nodiscard]] int countErrors(const std::vector<Diagnostic> &diagnostics);

} // namespace warpwright
