// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/tool_output/diagnostic.h"

#include <QStringList>

namespace warpwright {

/// What a linker says of the place that had a symbol before.
inline const QString firstDefined = QStringLiteral("first defined here");

/// Collects diagnostics line by line: the state that parseDiagnostics() keeps between two lines.
///
/// Each tool has its own grammar, and one nvcc run prints several of them: EDG's (cudafe++, cicc), GCC's
/// (host code), ptxas' and nvlink's. A line is offered to one grammar after the other; what none takes is
/// dropped.
class DiagnosticReader {
public:
    DiagnosticReader(QString workspace, int limit);

    void read(const QString &line);
    [[nodiscard]] bool isFull() const { return static_cast<int>(m_found.size()) > m_limit; }
    [[nodiscard]] std::vector<Diagnostic> take();

private:
    bool readEdg(const QString &line);
    bool readEdgContinuation(const QString &line);
    bool readGcc(const QString &line);
    bool readGccContext(const QString &line);
    bool readTool(const QString &line);
    bool readLinker(const QString &line);
    bool readLinkedPlace(const QString &line);

    void add(Diagnostic diagnostic);
    void addNote(DiagnosticNote note);
    [[nodiscard]] QString placeOf(const QString &file) const;

    QString m_workspace;
    int m_limit;
    std::vector<Diagnostic> m_found;
    std::vector<DiagnosticNote> m_context; ///< GCC says where it is before it says what is wrong
    QStringList m_edgLines; ///< lines since an EDG header: its words go on until the source line
    bool m_isAfterEdgHeader = false;
    bool m_isInEdgTrace = false;
    QString m_linkedFunction;
};

} // namespace warpwright
