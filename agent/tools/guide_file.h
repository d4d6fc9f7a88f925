// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace warpwright {

/// A text that a workspace brings for agents: a skill, a project's rules, a page. Workspaces come from
/// anywhere, and what is read goes to a model's server: nothing outside of the folder is followed to.
struct GuideFile {
    QString name; ///< as it is named in the folder
    QString text; ///< empty where it is not read
    /// Why not, behind its name: «is a link out of the workspace»; empty: it is read.
    QString whyNot;
    qint64 bytes = 0;
    bool isCut = false; ///< the text is its beginning, and says so at its end

    [[nodiscard]] bool isRead() const { return whyNot.isEmpty(); }
    bool operator==(const GuideFile &) const = default;
};

/// What real ones need: CUDA-Agent's SKILL.md has 13 KiB. Of a longer one this is its beginning.
inline constexpr qint64 mostGuideBytes = 64LL * 1024;

/// Nothing: there is no such file. UTF-8, UTF-16 and UTF-32 by their marks, and what is neither as Latin-1.
/// Never waits for a pipe, never reads a device. Reads a small file: for the pool.
[[nodiscard]] std::optional<GuideFile> readGuideFile(const QString &folder, const QString &name);

} // namespace warpwright
