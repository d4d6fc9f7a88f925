// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/tools/toolbox.h"
#include "agent/tools/work_folder.h"

#include <QRegularExpression>

namespace warpwright {

/// The tools `glob` and `grep`: functions of a work folder, for the pool. No symbolic link is followed;
/// hidden files are found only by a pattern that names a hidden folder.
[[nodiscard]] ToolAnswer globTool(const WorkFolder &work, const Json &arguments);
/// Ends by itself after 10 s, and says so.
[[nodiscard]] ToolAnswer grepTool(const WorkFolder &work, const Json &arguments);

/// `*` and `?` within a name, `**` over folders, `[a-z]`, `{cu,cuh}`. A pattern without a slash is for names
/// in any folder.
[[nodiscard]] QRegularExpression globExpression(const QString &pattern);

} // namespace warpwright
