// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/comparison/comparison_choice.h"

#include "toolchain/evaluation/measured_figures.h"

namespace warpwright {

ComparisonChoice ComparisonChoice::ofIteration(int number) {
    return {Kind::Iteration, number, {}};
}

ComparisonChoice ComparisonChoice::ofArm(const QString &arm) {
    return {Kind::Arm, 0, arm};
}

QString ComparisonChoice::word() const {
    switch (kind) {
    case Kind::Iteration:
        return QString::number(iteration);
    case Kind::Arm:
        return arm;
    case Kind::Text:
        break;
    }
    return QStringLiteral("now");
}

QString ComparisonChoice::title() const {
    if (kind == Kind::Iteration)
        return QStringLiteral("Iteration %1").arg(iteration);
    if (kind == Kind::Text)
        return QStringLiteral("My text");
    QString label = armLabel(arm);
    return label.isEmpty() ? label : label.replace(0, 1, label[0].toUpper());
}

QStringList comparableArms() {
    return {QStringLiteral("eager"),       QStringLiteral("compile"),     QStringLiteral("eagerTf32"),
            QStringLiteral("compileTf32"), QStringLiteral("eagerStrict"), QStringLiteral("compileStrict")};
}

Result<ComparisonChoice> comparisonChoiceOf(const QString &word) {
    using Answer = Result<ComparisonChoice>;
    bool isNumber = false;
    if (const int number = word.toInt(&isNumber); isNumber && number > 0)
        return Answer::ok(ComparisonChoice::ofIteration(number));
    QString plain = word.toLower();
    plain.remove(QLatin1Char('-'));
    if (plain == QLatin1String("now") || plain == QLatin1String("saved"))
        return Answer::ok({});
    for (const QString &arm : comparableArms())
        if (plain == arm.toLower())
            return Answer::ok(ComparisonChoice::ofArm(arm));
    return Answer::error(QStringLiteral("\"%1\" is no number of an iteration, as wright log lists them, and "
                                        "none of now, %2")
                             .arg(word, comparableArms().join(QStringLiteral(", "))));
}

} // namespace warpwright
