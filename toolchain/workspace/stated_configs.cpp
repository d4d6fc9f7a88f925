// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/stated_configs.h"

#include <QRegularExpression>

#include <set>

namespace warpwright {

StatedConfigs statedConfigs(const CandidateTexts &texts) {
    StatedConfigs stated;
    const auto found = texts.find(QStringLiteral("model_new.py"));
    if (found == texts.end())
        return stated;
    static const QRegularExpression choices(QStringLiteral("^\\s+CHOICES\\s*(:[^=]*)?="));
    static const QRegularExpression attribute(
        QStringLiteral("^\\s+([A-Za-z_]\\w*)\\s*(?::[^=]*)?=\\s*(\\d{1,4})\\s*(#.*)?$"));
    static const QRegularExpression kernel(QStringLiteral("\\bsee ([A-Za-z_]\\w*)"));
    std::set<QString> contradicted;
    const QStringList lines = QString::fromUtf8(found->second).split(QLatin1Char('\n'));
    for (const QString &line : lines) {
        stated.namesChoices = stated.namesChoices || choices.match(line).hasMatch();
        const QRegularExpressionMatch match = attribute.match(line);
        if (!match.hasMatch())
            continue;
        const QString name = match.captured(1);
        const int value = match.captured(2).toInt();
        if (const auto [at, isNew] = stated.values.emplace(name, value); !isNew && at->second != value)
            contradicted.insert(name);
        if (const QRegularExpressionMatch said = kernel.match(match.captured(3)); said.hasMatch())
            stated.kernels[name] = said.captured(1);
    }
    for (const QString &name : contradicted)
        stated.values.erase(name);
    return stated;
}

} // namespace warpwright
