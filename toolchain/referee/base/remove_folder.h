// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace warpwright {

/// Removes `folder` and all in it, links themselves instead of what they lead to; what cannot be removed
/// stays. A folder that is not there is none.
///
/// Not std::filesystem::remove_all: libtorch.so exports one of its own, which calls what it does not define.
void removeFolder(const std::string &folder);

} // namespace warpwright
