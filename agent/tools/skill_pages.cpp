// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/skill_pages.h"

#include "toolchain/base/figures.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int mostOwnPages = 50;
constexpr int mostEntries = 5000; ///< that are looked at
const QString first = QStringLiteral("SKILL.md");
const QString ours = QStringLiteral("cuda-kernels");

/// The skill itself first.
QStringList sortedPages(QStringList names) {
    names.removeDuplicates();
    std::sort(names.begin(), names.end(), [](const QString &one, const QString &other) {
        return std::pair(one != first, one) < std::pair(other != first, other);
    });
    return names;
}

QStringList markdownBelow(const QString &folder) {
    const QDir root(folder);
    QStringList names;
    QDirIterator entries(folder, QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot,
                         QDirIterator::Subdirectories);
    for (int i = 0; i < mostEntries && entries.hasNext(); ++i) {
        const QString name = root.relativeFilePath(entries.next());
        if (entries.fileInfo().isFile() && name.endsWith(QLatin1String(".md"), Qt::CaseInsensitive))
            names << name;
    }
    return names;
}

/// What is asked for, and what may be meant by it.
bool isNamed(const QString &name, const QString &asked, Qt::CaseSensitivity sensitivity) {
    return name.compare(asked, sensitivity) == 0 ||
           name.compare(asked + QStringLiteral(".md"), sensitivity) == 0;
}

QString unreadWords(const GuideFile &own) {
    return QStringLiteral("The workspace's own SKILL.md %1, and is not read: the built-in skill is used.")
        .arg(own.whyNot);
}

} // namespace

QStringList ownPages(const QString &workspace, const QString &skill) {
    QStringList names;
    static const QRegularExpression named(QStringLiteral("[\\w./-]+\\.(?:md|markdown|txt|rst)\\b"));
    for (auto match = named.globalMatch(skill); match.hasNext();)
        names << QDir::cleanPath(match.next().captured());
    names += markdownBelow(workspace);
    names = sortedPages(names);
    QStringList pages;
    for (const QString &name : names) {
        const bool isBelow = !name.startsWith(QLatin1Char('/')) && !name.startsWith(QLatin1Char('.')) &&
                             !name.contains(QLatin1String("/."));
        if (isBelow && name != first && QFileInfo(workspace + QLatin1Char('/') + name).isFile() &&
            pages.size() < mostOwnPages)
            pages << name;
    }
    return pages;
}

QStringList Skill::names() const {
    QStringList names;
    for (const SkillPage &page : pages)
        names << page.name;
    return names;
}

const SkillPage *Skill::page(const QString &asked) const {
    const QString wanted = asked.trimmed();
    if (wanted.isEmpty())
        return pages.empty() ? nullptr : &pages.front();
    for (const Qt::CaseSensitivity sensitivity : {Qt::CaseSensitive, Qt::CaseInsensitive}) {
        for (const SkillPage &page : pages)
            if (isNamed(page.name, wanted, sensitivity))
                return &page;
        for (const SkillPage &page : pages)
            if (isNamed(QFileInfo(page.folder).fileName() + QLatin1Char('/') + page.file, wanted,
                        sensitivity))
                return &page;
    }
    return nullptr;
}

QString Skill::words() const {
    if (pages.empty())
        return {};
    return text + QStringLiteral("\n\nThe tool `skill` gives these pages by their names: %1.")
                      .arg(names().join(QStringLiteral(", ")));
}

Skill readSkill(const QString &workspace, const QString &resources) {
    Skill skill;
    QString said;
    if (const std::optional<GuideFile> own = readGuideFile(workspace, first)) {
        skill.isOwn = own->isRead();
        said = own->text;
        if (!own->isRead())
            skill.remarks << unreadWords(*own);
        else if (own->isCut)
            skill.remarks << QStringLiteral(
                                 "The workspace's own SKILL.md has %1 bytes: its first %2 are the skill.")
                                 .arg(numberText(static_cast<double>(own->bytes)),
                                      numberText(static_cast<double>(mostGuideBytes)));
    }
    if (skill.isOwn) {
        skill.pages.push_back({first, workspace, first});
        for (const QString &name : ownPages(workspace, said))
            skill.pages.push_back({name, workspace, name});
    }
    const QString folder = resources + QStringLiteral("/skills/") + ours;
    const QStringList taken = skill.names();
    for (const QString &name : sortedPages(markdownBelow(folder)))
        skill.pages.push_back({taken.contains(name) ? ours + QLatin1Char('/') + name : name, folder, name});
    if (skill.pages.empty())
        return skill;
    if (!skill.isOwn)
        if (const std::optional<GuideFile> page = readGuideFile(folder, skill.pages.front().file))
            said = page->text;
    if (const std::optional<GuideFile> limits = readGuideFile(folder, QStringLiteral("allowed.md")))
        skill.limits = limits->text.trimmed();
    skill.text = said.trimmed();
    if (!skill.limits.isEmpty())
        skill.text += QStringLiteral("\n\n") + skill.limits;
    return skill;
}

} // namespace warpwright
