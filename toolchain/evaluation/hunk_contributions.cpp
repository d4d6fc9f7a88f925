// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/evaluation/hunk_contributions.h"

#include "toolchain/evaluation/said_difference.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

QString shortText(const TimeScale &times, double microseconds) {
    return signedText(microseconds / times.unitMicroseconds, times.decimals) + QLatin1Char(' ') + times.unit;
}

} // namespace

bool HunkContributions::isEmpty() const {
    return !all && std::none_of(hunks.begin(), hunks.end(), [](const HunkContribution &hunk) {
        return hunk.alone || hunk.allBut || hunk.isUnexercised || !hunk.failedWords().isEmpty();
    });
}

QString HunkContribution::failedWords() const {
    QStringList words;
    if (!aloneFailed.isEmpty())
        words << aloneFailed + QStringLiteral(" alone");
    if (!allButFailed.isEmpty())
        words << allButFailed + QStringLiteral(" without it");
    return words.join(QStringLiteral(", "));
}

std::vector<ContributionSentence> contributionSentences(const HunkContributions &contributions) {
    std::vector<ContributionSentence> sentences;
    const TimeScale &times = contributions.times;
    const auto gains = [](const HunkContribution &hunk) {
        return hunk.alone && !hunk.isBesideCode && !hunk.alone->isNoise() && hunk.alone->value < 0;
    };
    const HunkContribution *best = nullptr;
    for (const HunkContribution &hunk : contributions.hunks)
        if (gains(hunk) && (best == nullptr || hunk.alone->value < best->alone->value))
            best = &hunk;
    const bool hasGain = contributions.all && !contributions.all->isNoise() && contributions.all->value < 0;
    if (best != nullptr && contributions.hunks.size() > 1) {
        ContributionSentence sentence;
        sentence.hunk = best->id;
        const double share = hasGain ? best->alone->value / contributions.all->value : 0;
        sentence.head = share >= 0.5 ? QStringLiteral("Hunk %1 carries the gain").arg(best->number)
                                     : QStringLiteral("Hunk %1 gains most").arg(best->number);
        sentence.words = best->title;
        if (hasGain)
            sentence.words += QStringLiteral(": %1 of it, by itself").arg(percentText(share, 0));
        sentence.value = shortText(times, best->alone->value);
        sentences.push_back(sentence);
    }
    for (const HunkContribution &hunk : contributions.hunks) {
        if (hunk.isUnexercised)
            sentences.push_back({hunk.id,
                                 QStringLiteral("Hunk %1 is not exercised").arg(hunk.number),
                                 QStringLiteral("its file does not run on this device"),
                                 {}});
        if (const QString failed = hunk.failedWords(); !failed.isEmpty())
            sentences.push_back({hunk.id,
                                 QStringLiteral("Hunk %1 belongs with others").arg(hunk.number),
                                 QStringLiteral("it ") + failed,
                                 {}});
        if (!hunk.alone || &hunk == best)
            continue;
        if (hunk.isBesideCode) {
            sentences.push_back({hunk.id,
                                 QStringLiteral("Hunk %1 changes no code").arg(hunk.number),
                                 QStringLiteral("comments alone: what was measured of it is noise"),
                                 {}});
            continue;
        }
        ContributionSentence sentence;
        sentence.hunk = hunk.id;
        sentence.value = shortText(times, hunk.alone->value);
        if (!hunk.alone->isNoise() && hunk.alone->value > 0) {
            sentence.head = QStringLiteral("Hunk %1 slows down").arg(hunk.number);
            sentence.words = hunk.title;
            sentences.push_back(sentence);
            continue;
        }
        if (!hunk.alone->isNoise() || !hunk.allBut || !contributions.all)
            continue;
        // What is lost without it, of which the intervals of both know how surely.
        const double lost = contributions.all->value - hunk.allBut->value;
        const bool isSure = contributions.all->high < hunk.allBut->low;
        const bool isHarm = contributions.all->low > hunk.allBut->high;
        sentence.value = shortText(times, lost);
        if (isSure) {
            sentence.head = QStringLiteral("Hunk %1 pays with the others").arg(hunk.number);
            sentence.words = QStringLiteral("%1 by itself; without it %2 %3 are lost")
                                 .arg(noDifferenceWords(),
                                      numberText(-lost / times.unitMicroseconds, times.decimals), times.unit);
        } else if (isHarm) {
            sentence.head = QStringLiteral("Hunk %1 takes from the others").arg(hunk.number);
            sentence.words = QStringLiteral("%1 by itself; without it %2 %3 less")
                                 .arg(noDifferenceWords(),
                                      numberText(lost / times.unitMicroseconds, times.decimals), times.unit);
        } else {
            // Not seen is not zero: how much could hide in the noise is said.
            const double hidden = std::max(std::abs(hunk.alone->low), std::abs(hunk.alone->high));
            sentence.head = QStringLiteral("Hunk %1 shows no effect").arg(hunk.number);
            sentence.words = noDifferenceWords() + QStringLiteral(", by itself and with the others");
            sentence.value =
                QStringLiteral("within ±%1 %2")
                    .arg(numberText(hidden / times.unitMicroseconds, times.decimals), times.unit);
        }
        sentences.push_back(sentence);
    }
    return sentences;
}

} // namespace warpwright
