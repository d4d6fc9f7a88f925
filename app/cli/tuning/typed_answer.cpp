// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tuning/typed_answer.h"

namespace warpwright {

std::optional<TypedAnswer> typedAnswer(const QString &line, const std::vector<AnswerWord> &words) {
    const QString said = line.trimmed();
    for (const AnswerWord &one : words) {
        if (said.compare(one.letter, Qt::CaseInsensitive) == 0 ||
            said.compare(one.word, Qt::CaseInsensitive) == 0)
            return TypedAnswer{one.letter, {}};
        if (one.hasReason && said.size() > one.letter.size() && said.at(one.letter.size()).isSpace() &&
            said.startsWith(one.letter, Qt::CaseInsensitive))
            return TypedAnswer{one.letter, said.mid(one.letter.size()).trimmed()};
    }
    return std::nullopt;
}

bool isQuit(const QString &line) {
    return typedAnswer(line, {{QStringLiteral("q"), QStringLiteral("quit")}}).has_value();
}

} // namespace warpwright
