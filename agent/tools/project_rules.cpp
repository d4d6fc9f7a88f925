// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/project_rules.h"

#include "toolchain/base/figures.h"

#include <QDir>
#include <QFileInfo>

namespace warpwright {
namespace {

constexpr int mostFolders = 20;

/// The workspace, the folder above, and in a repository those up to its root: as other agents look for them.
QStringList foldersOf(const QString &workspace) {
    QStringList folders;
    QString folder = workspace;
    for (int i = 0; i < mostFolders; ++i) {
        folders << folder;
        const QString above = QFileInfo(folder).path();
        if (QFileInfo::exists(folder + QStringLiteral("/.git")))
            return folders;
        if (above == folder)
            break;
        folder = above;
    }
    return folders.mid(0, 2);
}

} // namespace

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
    const QStringList folders = foldersOf(QDir(workspace).absolutePath());
    for (const QString &name : projectRulesNames())
        for (const QString &folder : folders) {
            const std::optional<GuideFile> file = readGuideFile(folder, name);
            if (file)
                rules.push_back({*file, QDir(folder).filePath(name)});
            if (file && file->isRead())
                break;
        }
    return rules;
}

} // namespace warpwright
