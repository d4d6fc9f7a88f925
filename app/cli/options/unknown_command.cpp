// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options/unknown_command.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <vector>

namespace warpwright {
namespace {

/// How many letters have to be put in, left out, exchanged for others or for each other.
int distance(const QString &one, const QString &other) {
    const auto columns = static_cast<std::size_t>(other.size());
    std::vector<std::vector<int>> rows(static_cast<std::size_t>(one.size()) + 1,
                                       std::vector<int>(columns + 1));
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j <= columns; ++j) {
            if (i == 0 || j == 0) {
                rows[i][j] = static_cast<int>(i + j);
                continue;
            }
            const auto at = [](const QString &text, std::size_t index) {
                return text[static_cast<qsizetype>(index)];
            };
            const bool isSame = at(one, i - 1) == at(other, j - 1);
            rows[i][j] =
                std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (isSame ? 0 : 1)});
            if (i > 1 && j > 1 && at(one, i - 1) == at(other, j - 2) && at(one, i - 2) == at(other, j - 1))
                rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
        }
    return rows.back().back();
}

} // namespace

QString unknownCommand(const CLI::App &app, const QString &word) {
    if (word.isEmpty() || word.startsWith(QLatin1Char('-')))
        return {};
    constexpr int mostWrong = 2;
    QString nearest;
    int least = mostWrong + 1;
    for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; })) {
        const QString name = QString::fromStdString(command->get_name());
        if (name == word)
            return {};
        // Of a short word little may be wrong, or any would do.
        if (const int wrong = distance(word, name); wrong < least && 2 * wrong < name.size()) {
            least = wrong;
            nearest = name;
        }
    }
    const QString said = QStringLiteral("there is no command \"%1\"").arg(word);
    return nearest.isEmpty() ? said : said + QStringLiteral(" (did you mean %1?)").arg(nearest);
}

} // namespace warpwright
