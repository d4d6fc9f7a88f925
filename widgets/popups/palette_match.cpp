// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/popups/palette_match.h"

#include <QStringList>

#include <algorithm>
#include <limits>

namespace warpwright {
namespace {

constexpr int insideWord = 500; ///< costs more than any place where a word begins
constexpr int byLetters = 1000;
constexpr qsizetype mostTyped = 32;
constexpr qsizetype mostName = 256;

bool beginsWord(QStringView name, qsizetype at) {
    if (at == 0)
        return true;
    const QChar before = name[at - 1];
    return !before.isLetterOrNumber() || (before.isLower() && name[at].isUpper());
}

PaletteMatch matchWords(const QString &name, const QStringList &words) {
    PaletteMatch match{0, {}};
    for (const QString &word : words) {
        qsizetype first = -1;
        qsizetype at = name.indexOf(word, 0, Qt::CaseInsensitive);
        for (; at >= 0 && !beginsWord(name, at); at = name.indexOf(word, at + 1, Qt::CaseInsensitive))
            first = first < 0 ? at : first;
        const bool isInside = at < 0;
        at = isInside ? first : at;
        if (at < 0)
            return {};
        const qsizetype end = at + word.size();
        const bool isWhole = end == name.size() || !name[end].isLetterOrNumber();
        match.rank += static_cast<int>(2 * at) + (isInside ? insideWord : 0) + (isWhole ? 0 : 1);
        for (qsizetype i = 0; i < word.size(); ++i)
            match.letters.push_back(static_cast<int>(at + i));
    }
    std::sort(match.letters.begin(), match.letters.end());
    match.letters.erase(std::unique(match.letters.begin(), match.letters.end()), match.letters.end());
    return match;
}

bool hasInOrder(QStringView name, QStringView letters) {
    qsizetype next = 0;
    for (qsizetype at = 0; at < name.size() && next < letters.size(); ++at)
        if (name[at].toCaseFolded() == letters[next])
            ++next;
    return next == letters.size();
}

// The cheapest way to find the letters in their order: those that begin a word or follow the one before are
// free.
PaletteMatch matchLetters(const QString &name, const QString &letters) {
    const qsizetype count = letters.size();
    const qsizetype length = name.size();
    if (count == 0 || count > mostTyped || length > mostName || !hasInOrder(name, letters))
        return {};
    constexpr int never = std::numeric_limits<int>::max() / 2;
    struct Step {
        int cost = never;
        int from = -1;
    };
    std::vector<Step> steps(static_cast<std::size_t>(count * length));
    const auto step = [&](qsizetype letter, qsizetype at) -> Step & {
        return steps[static_cast<std::size_t>(letter * length + at)];
    };
    for (qsizetype letter = 0; letter < count; ++letter) {
        Step best; // of the letter before, at any place before the one below
        for (qsizetype at = letter; at < length; ++at) {
            if (letter > 0 && at > 0)
                if (const Step &before = step(letter - 1, at - 1); before.cost < best.cost)
                    best = {before.cost, static_cast<int>(at - 1)};
            if (name[at].toCaseFolded() != letters[letter])
                continue;
            const int jump = beginsWord(name, at) ? 1 : 10;
            if (letter == 0) {
                step(letter, at) = {jump, -1};
                continue;
            }
            Step &now = step(letter, at);
            now = {best.cost + jump, best.from};
            if (const int follows = step(letter - 1, at - 1).cost; follows < now.cost)
                now = {follows, static_cast<int>(at - 1)};
        }
    }
    qsizetype end = 0;
    for (qsizetype at = 0; at < length; ++at)
        if (step(count - 1, at).cost < step(count - 1, end).cost)
            end = at;
    PaletteMatch match{byLetters + step(count - 1, end).cost * 10 + static_cast<int>(length), {}};
    for (qsizetype letter = count - 1, at = end; letter >= 0; at = step(letter, at).from, --letter)
        match.letters.insert(match.letters.begin(), static_cast<int>(at));
    return match;
}

} // namespace

PaletteMatch paletteMatch(const QString &name, const QString &typed, bool isFuzzy) {
    const QStringList words = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    PaletteMatch match = matchWords(name, words);
    if (match.rank < 0 && isFuzzy)
        match = matchLetters(name, words.join(QString()).toCaseFolded());
    return match;
}

} // namespace warpwright
