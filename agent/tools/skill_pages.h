// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/tools/guide_file.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace warpwright {

/// A page that the tool `skill` gives.
struct SkillPage {
    QString name;   ///< by which it is asked for
    QString folder; ///< the workspace's, or ours
    QString file;   ///< in it

    bool operator==(const SkillPage &) const = default;
};

/// How kernels are made: the workspace's own SKILL.md with the pages that lie beside it, then ours. What a
/// candidate may not do is the judge's, and stands in it whosever skill it is.
struct Skill {
    std::vector<SkillPage> pages; ///< the first is the skill itself
    bool isOwn = false;
    QString text;        ///< the first page, with what is not allowed
    QString limits;      ///< what is not allowed, alone
    QStringList remarks; ///< for people: a sentence each, of an own SKILL.md that is cut or not read

    [[nodiscard]] QStringList names() const;
    /// The page of this name, also without «.md», or with our folder's name before it; null: there is none.
    [[nodiscard]] const SkillPage *page(const QString &asked) const;
    /// With the names of the pages: what an agent is told before it begins.
    [[nodiscard]] QString words() const;
};

/// Without pages where neither the workspace nor this installation has one. Reads small files: for the pool.
[[nodiscard]] Skill readSkill(const QString &workspace, const QString &resources);

/// The pages beside a SKILL.md of the workspace's own: Markdown below its folder, and texts that it names. At
/// most so many, no hidden ones, through no link to a folder.
[[nodiscard]] QStringList ownPages(const QString &workspace, const QString &skill);

} // namespace warpwright
