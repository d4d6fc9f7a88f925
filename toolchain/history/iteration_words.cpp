// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/history/iteration_words.h"

#include "toolchain/base/figures.h"
#include "toolchain/evaluation/measured_figures.h"

namespace warpwright {

const std::optional<SpeedUp> &listedSpeedUp(const EvaluationSummary &summary) {
    return summary.eager ? summary.eager : summary.sameClass;
}

QString speedUpText(const std::optional<EvaluationSummary> &summary) {
    if (!summary || summary->verdict != Verdict::Pass)
        return {};
    if (summary->unexercised && summary->unexercised->isKept)
        return QStringLiteral("repeat of %1").arg(summary->unexercised->iteration);
    const std::optional<SpeedUp> &speedUp = listedSpeedUp(*summary);
    if (!speedUp)
        return QStringLiteral("not measured");
    const QString text = factorText(speedUp->value, speedUp->low, speedUp->high).both();
    return summary->eager ? text : QStringLiteral("%1 over %2").arg(text, armLabel(speedUp->arm));
}

QString speedUpWords(const std::optional<EvaluationSummary> &summary) {
    const QString text = speedUpText(summary);
    const bool isOverEager =
        summary && summary->eager && !(summary->unexercised && summary->unexercised->isKept);
    return text.isEmpty() || !isOverEager ? text : text + QStringLiteral(" over eager");
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
    if (author.kind == AuthorKind::You && !author.name.isEmpty())
        return author.name;
    return author.name.isEmpty() || author.name == kind ? kind
                                                        : QStringLiteral("%1 (%2)").arg(kind, author.name);
}

} // namespace warpwright
