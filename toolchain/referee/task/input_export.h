// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/task/task_session.h"

namespace warpwright {

/// What one forward of the candidate needs, as files: for tools that the judge does not run itself.
///
/// Writes inputs.json (`seed, initInputs, arguments, state[]`), inputs.bin and state.bin into `folder`.
/// Inputs and parameters come from secret seeds that are used nowhere else, so nobody who reads the files
/// learns of another draw. The answer names the sandbox that such a tool must be in, in the words of
/// sandbox/sandbox_spec.h.
Json exportInputs(TaskSession &session, const std::string &folder, const std::string &runFolder);

} // namespace warpwright
