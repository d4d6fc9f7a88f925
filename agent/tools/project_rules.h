// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/tools/guide_file.h"

#include <QStringList>

#include <vector>

namespace warpwright {

/// A file in which a project tells agents how it wants its code: of the workspace, or of the folder above.
struct ProjectRules {
    GuideFile file;
    QString path; ///< absolute

    /// For people: that it is followed, or why it is not read; and where it is cut.
    [[nodiscard]] QStringList remarks() const;
    bool operator==(const ProjectRules &) const = default;
};

/// "AGENTS.md", which everybody reads, and those that some agents look for by themselves.
[[nodiscard]] const QStringList &projectRulesNames();

/// Of each name the nearest: the workspace's, else of the folders above up to the root of its repository, of
/// the one above where it is in none; with those nearer that cannot be read. Reads small files: for the pool.
[[nodiscard]] std::vector<ProjectRules> readProjectRules(const QString &workspace);

} // namespace warpwright
