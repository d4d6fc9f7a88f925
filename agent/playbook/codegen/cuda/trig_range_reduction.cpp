// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/trig_range_reduction.h"

#include <QRegularExpression>
#include <QStringList>

namespace warpwright {

QString withFastTrig(QString loop) {
    static const QRegularExpression sine(QStringLiteral("\\bfastSin\\("));
    static const QRegularExpression cosine(QStringLiteral("\\bfastCos\\("));
    return loop.replace(sine, QStringLiteral("sinSmallAngle(isLargeAngle, "))
        .replace(cosine, QStringLiteral("cosSmallAngle(isLargeAngle, "));
}

QString withTrigRangeReduction(const QString &loop, int indent) {
    const QString near = withFastTrig(loop);
    if (near == loop)
        return loop;
    const QString space(indent, QLatin1Char(' '));
    QString text =
        space +
        QStringLiteral("bool isLargeAngle = false; // an angle is too large for the fast functions\n") +
        near + space + QStringLiteral("if (isLargeAngle) {\n");
    for (const QString &line : loop.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        text += (line.startsWith(QLatin1Char('#')) ? QString() : QStringLiteral("    ")) + line +
                QLatin1Char('\n');
    return text + space + QStringLiteral("}\n");
}

} // namespace warpwright
