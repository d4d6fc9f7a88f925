// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/number_words.h"

#include <QString>

namespace warpwright {
namespace {

CLI::Validator numberThat(const char *shown, bool isWhole, const char *complaint) {
    return {[isWhole, complaint](const std::string &text) -> std::string {
                const QString words = QString::fromStdString(text);
                bool isNumber = false;
                const double number = isWhole ? words.toInt(&isNumber) : words.toDouble(&isNumber);
                if (isNumber && number > 0)
                    return {};
                return QStringLiteral("\"%1\" is %2").arg(words, QLatin1String(complaint)).toStdString();
            },
            shown};
}

} // namespace

CLI::Validator aboveZero() {
    return numberThat("POSITIVE", false, "no number above zero");
}

CLI::Validator iterationNumber() {
    return numberThat("NUMBER", true,
                      "no number of an iteration: the workspace comes first, then the number, from 1 on, as "
                      "wright log lists them");
}

} // namespace warpwright
