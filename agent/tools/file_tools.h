// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/tools/tool_values.h"
#include "agent/tools/work_folder.h"

#include <map>

namespace warpwright {

/// What a caller has seen of each file: the hash of its text as it was last read or written. Who has not seen
/// what stands there may not write over it.
using FileMarks = std::map<QString, QByteArray>;

struct FileAnswer {
    ToolAnswer answer;
    FileMarks marks;
};

/// The tools `read`, `write` and `edit`: functions of a work folder, for the pool. The arguments were found
/// to be right by whyBadArguments().
[[nodiscard]] FileAnswer readTool(const WorkFolder &work, FileMarks marks, const Json &arguments);
[[nodiscard]] FileAnswer writeTool(const WorkFolder &work, FileMarks marks, const Json &arguments);
/// All edits or none.
[[nodiscard]] FileAnswer editTool(const WorkFolder &work, FileMarks marks, const Json &arguments);

/// An answer without more.
[[nodiscard]] ToolAnswer failedAnswer(const QString &text);
[[nodiscard]] ToolAnswer deniedAnswer(const QString &text);

} // namespace warpwright
