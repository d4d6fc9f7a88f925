// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report/iteration_words.h"

#include "toolchain/figures.h"

namespace warpwright {

QString speedUpText(const std::optional<EvaluationSummary> &summary) {
    if (!summary || summary->verdict != Verdict::Pass)
        return {};
    if (summary->unexercised && summary->unexercised->isKept)
        return QStringLiteral("repeat of %1").arg(summary->unexercised->iteration);
    const std::optional<SpeedUp> &speedUp = summary->sameClass ? summary->sameClass : summary->eager;
    return speedUp ? factorText(speedUp->value, speedUp->low, speedUp->high).both()
                   : QStringLiteral("not measured");
}

QString rewardText(const std::optional<EvaluationSummary> &summary) {
    if (summary && summary->verdict == Verdict::Pass && !summary->reward)
        return QStringLiteral("none: degenerate");
    if (!summary || !summary->reward)
        return {};
    return QString::number(*summary->reward) +
           (summary->unexercised && summary->unexercised->isKept ? QStringLiteral(", kept") : QString());
}

QString verdictWord(const std::optional<EvaluationSummary> &summary) {
    if (!summary)
        return QStringLiteral("not checked");
    return verdictName(summary->verdict) +
           (summary->unexercised ? QStringLiteral(", not exercised") : QString());
}

QString authorText(const Author &author) {
    const QString kind = authorKindName(author.kind);
    return author.name.isEmpty() || author.name == kind ? kind
                                                        : QStringLiteral("%1 (%2)").arg(kind, author.name);
}

} // namespace warpwright
