// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/project_rules.h"

#include "toolchain/figures.h"

#include <QDir>

namespace warpwright {

QStringList ProjectRules::remarks() const {
    if (!file.isRead())
        return {QStringLiteral("\"%1\" %2, and is not read: the run goes on without its rules.")
                    .arg(path, file.whyNot)};
    QStringList said{QStringLiteral("The rules of \"%1\" are followed.").arg(path)};
    if (file.isCut)
        said << QStringLiteral("\"%1\" has %2 bytes: the rules are in its first %3.")
                    .arg(path, numberText(static_cast<double>(file.bytes)),
                         numberText(static_cast<double>(mostGuideBytes)));
    return said;
}

const QStringList &projectRulesNames() {
    static const QStringList names{QStringLiteral("AGENTS.md"), QStringLiteral("CLAUDE.md"),
                                   QStringLiteral("GEMINI.md")};
    return names;
}

std::vector<ProjectRules> readProjectRules(const QString &workspace) {
    std::vector<ProjectRules> rules;
    const QDir own(workspace);
    const QString above = QDir::cleanPath(own.absoluteFilePath(QStringLiteral("..")));
    for (const QString &name : projectRulesNames())
        for (const QString &folder : {own.absolutePath(), above}) {
            const std::optional<GuideFile> file = readGuideFile(folder, name);
            if (file)
                rules.push_back({*file, QDir(folder).filePath(name)});
            if (file && file->isRead())
                break;
        }
    return rules;
}

} // namespace warpwright
