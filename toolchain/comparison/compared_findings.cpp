// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/comparison/comparison_parts.h"

#include <QSet>

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

using State = ComparisonRow::State;

/// Estimates rest on counters of single launches: as much as those is between them.
constexpr double leastShare = 0.05;

QString gainText(const Finding &finding) {
    return finding.gainMicroseconds ? QStringLiteral("up to %1").arg(timeText(*finding.gainMicroseconds))
                                    : QStringLiteral("found");
}

QString nameOf(const Finding &finding) {
    return finding.kernel.isEmpty() ? finding.title
                                    : QStringLiteral("%1, %2").arg(finding.title, finding.kernel);
}

// What a finding was read from, in the words of Findings::looked.
QSet<QString> sourcesOf(const Finding &finding) {
    QSet<QString> sources;
    for (const FindingEvidence &evidence : finding.evidence)
        sources << (evidence.source.startsWith(QLatin1String("ncu")) ? QStringLiteral("counters")
                                                                     : evidence.source);
    return sources;
}

// What the other side would have to be looked at for; empty: it was, and has it not.
QString notLookedAt(const Finding &finding, const Findings &mine, const Findings &other) {
    for (const QString &source : sourcesOf(finding))
        if (mine.looked.contains(source) && !other.looked.contains(source))
            return source;
    return {};
}

ComparisonRow rowOf(const Finding &finding) {
    ComparisonRow row;
    row.group = ComparisonRow::Group::Findings;
    row.name = nameOf(finding);
    row.unit = QStringLiteral("µs");
    row.help =
        finding.advice.isEmpty() ? finding.message : finding.message + QLatin1Char('\n') + finding.advice;
    row.source =
        QStringLiteral("finding %1%2%3")
            .arg(finding.id, finding.isMeasured ? QStringLiteral(", measured") : QStringLiteral(", read"),
                 finding.gainBasis.isEmpty() ? QString() : QStringLiteral(": ") + finding.gainBasis);
    return row;
}

} // namespace

void addFindings(StateComparison &comparison, const ComparedState &left, const ComparedState &right) {
    if (!left.findings || !right.findings || left.textHash == right.textHash)
        return;
    std::vector<const Finding *> gone;
    for (const Finding &finding : left.findings->list)
        if (!finding.isNote)
            gone.push_back(&finding);
    const auto alone = [&comparison](const Finding &finding, const Findings &mine, const Findings &other,
                                     bool isLeft) {
        ComparisonRow row = rowOf(finding);
        (isLeft ? row.left : row.right) = gainText(finding);
        (isLeft ? row.leftValue : row.rightValue) = finding.gainMicroseconds;
        row.state = isLeft ? State::LeftOnly : State::RightOnly;
        if (const QString source = notLookedAt(finding, mine, other); !source.isEmpty()) {
            row.state = State::Missing;
            row.remark = QStringLiteral("the other side was not looked at for it: no %1").arg(source);
        }
        comparison.rows.push_back(row);
    };
    for (const Finding &finding : right.findings->list) {
        if (finding.isNote)
            continue;
        const auto found = std::find_if(gone.begin(), gone.end(), [&finding](const Finding *one) {
            return one->id == finding.id && one->kernel == finding.kernel;
        });
        if (found == gone.end()) {
            alone(finding, *right.findings, *left.findings, false);
            continue;
        }
        const Finding &before = **found;
        gone.erase(found);
        ComparisonRow row = rowOf(finding);
        row.left = gainText(before);
        row.right = gainText(finding);
        row.leftValue = before.gainMicroseconds;
        row.rightValue = finding.gainMicroseconds;
        if (row.leftValue && row.rightValue) {
            const double difference = *row.rightValue - *row.leftValue;
            const double larger = std::max(*row.leftValue, *row.rightValue);
            row.state = difference == 0                              ? State::Same
                        : std::abs(difference) < leastShare * larger ? State::Noise
                                                                     : State::Differs;
            if (row.state == State::Noise)
                row.remark = QStringLiteral("estimates less than 5 % apart");
            else if (row.state == State::Differs)
                row.difference = signedText(difference, 2) + QStringLiteral(" µs");
        }
        comparison.rows.push_back(row);
    }
    for (const Finding *finding : gone)
        alone(*finding, *left.findings, *right.findings, true);
}

} // namespace warpwright
