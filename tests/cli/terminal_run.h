// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QStringList>

/// The real `wright` in a terminal: a pseudo-terminal of 100 columns, at which a person types.
class TerminalRun {
public:
    TerminalRun(const QStringList &arguments, const QProcessEnvironment &environment);
    ~TerminalRun();
    TerminalRun(const TerminalRun &) = delete;
    TerminalRun &operator=(const TerminalRun &) = delete;

    /// Until it has said these words since the last call that found some.
    [[nodiscard]] bool waitFor(const QByteArray &words, int milliseconds = 60'000);
    /// As if by hand; Enter is a line's end.
    void type(const QByteArray &keys) const;
    /// Its exit code; −1: it did not end in time.
    [[nodiscard]] int waitForEnd(int milliseconds = 60'000);

    [[nodiscard]] const QByteArray &said() const { return m_said; }

private:
    void read();

    QProcess m_process;
    int m_terminal = -1;
    QByteArray m_said;
    qsizetype m_found = 0; ///< so far it was searched
};
