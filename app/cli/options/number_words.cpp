// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options/number_words.h"

#include <QString>

#include <cmath>
#include <functional>

namespace warpwright {
namespace {

// Without a name: in the help the option's own word stands for it.
CLI::Validator numberThat(std::function<bool(const QString &words)> isRight, const QString &complaint) {
    return {[isRight = std::move(isRight), complaint](const std::string &text) -> std::string {
                const QString words = QString::fromStdString(text);
                // Qt would take spaces around a number, CLI11 would not.
                return words == words.trimmed() && isRight(words)
                           ? std::string()
                           : QStringLiteral("\"%1\" is %2").arg(words, complaint).toStdString();
            },
            std::string()};
}

} // namespace

CLI::Validator aboveZero() {
    return numberThat(
        [](const QString &words) { return words.toDouble() > 0 && std::isfinite(words.toDouble()); },
        QStringLiteral("no number above zero"));
}

CLI::Validator wholeFrom(int least, std::int64_t most) {
    return numberThat(
        [least, most](const QString &words) {
            bool isNumber = false;
            const qlonglong number = words.toLongLong(&isNumber);
            return isNumber && number >= least && number <= most;
        },
        QStringLiteral("no whole number from %1 on").arg(least));
}

CLI::Validator between(double least, double most) {
    return numberThat(
        [least, most](const QString &words) {
            bool isNumber = false;
            const double number = words.toDouble(&isNumber);
            return isNumber && number >= least && number <= most;
        },
        QStringLiteral("no number from %1 to %2").arg(least).arg(most));
}

CLI::Validator iterationNumber() {
    return numberThat(
        [](const QString &words) { return words.toInt() > 0; },
        QStringLiteral("no number of an iteration: the workspace comes first, then the number, from 1 on, as "
                       "wright log lists them"));
}

} // namespace warpwright
