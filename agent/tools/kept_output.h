// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace warpwright {

/// What a command prints: all of it up to a limit, and the end of it in any case.
class KeptOutput {
public:
    void add(const QByteArray &bytes);

    [[nodiscard]] qint64 bytes() const { return m_bytes; }
    /// The whole, or its beginning where it was more than is kept.
    [[nodiscard]] const QByteArray &beginning() const { return m_beginning; }
    [[nodiscard]] bool isWhole() const { return m_bytes == m_beginning.size(); }
    [[nodiscard]] QByteArray end() const { return m_end; }

    static constexpr qint64 mostKeptBytes = 8LL * 1024 * 1024;

private:
    QByteArray m_beginning;
    QByteArray m_end; ///< the last bytes of what is not whole
    qint64 m_bytes = 0;
};

/// A tool's answer is at most so long, in bytes of UTF-8.
inline constexpr qsizetype mostAnswerBytes = 16 * 1024;

/// The text, or its first and last lines with words between them that say how much was left out. `where`:
/// what to do for the rest, «The whole is in X: use read.»; may be empty.
[[nodiscard]] QString cutInTheMiddle(const QString &text, qsizetype mostBytes, const QString &where);

/// The same of a command's output; bytes that are no UTF-8 and control characters become «?» or «�».
[[nodiscard]] QString outputText(const KeptOutput &output, qsizetype mostBytes, const QString &where);

} // namespace warpwright
