// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>
#include <vector>

namespace warpwright {

/// An answer that a question knows: its letter, and the whole word for it.
struct AnswerWord {
    QString letter;
    QString word;
    bool hasReason = false; ///< a reason may follow the letter, behind a blank
};

struct TypedAnswer {
    QString letter;
    QString reason;

    bool operator==(const TypedAnswer &) const = default;
};

/// A letter alone, its word, or a letter with a reason. Nothing: all else, however it begins: a sentence that
/// was meant for the agent is no answer.
[[nodiscard]] std::optional<TypedAnswer> typedAnswer(const QString &line,
                                                     const std::vector<AnswerWord> &words);

/// "q", or its word.
[[nodiscard]] bool isQuit(const QString &line);

} // namespace warpwright
