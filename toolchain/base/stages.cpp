// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/stages.h"

namespace warpwright {

Result<LastStage> parseStages(const QString &text) {
    QStringList asked;
    for (const QString &word : text.split(QLatin1Char(',')))
        asked.append(word.trimmed());
    for (const LastStage last : {LastStage::Compile, LastStage::Verify, LastStage::Profile}) {
        if (asked == stageNames(last))
            return Result<LastStage>::ok(last);
    }
    return Result<LastStage>::error(
        QStringLiteral(
            "Cannot run the stages \"%1\": each stage needs the ones before it. Say --stages compile, "
            "--stages compile,verify or --stages compile,verify,profile.")
            .arg(text));
}

QStringList stageNames(LastStage last) {
    QStringList names{QStringLiteral("compile")};
    if (last != LastStage::Compile)
        names.append(QStringLiteral("verify"));
    if (last == LastStage::Profile)
        names.append(QStringLiteral("profile"));
    return names;
}

QString tierName(Tier tier) {
    return tier == Tier::Certify ? QStringLiteral("certify") : QStringLiteral("quick");
}

std::optional<Tier> tierFromName(const QString &name) {
    if (name == QLatin1String("quick"))
        return Tier::Quick;
    if (name == QLatin1String("certify"))
        return Tier::Certify;
    return std::nullopt;
}

} // namespace warpwright
