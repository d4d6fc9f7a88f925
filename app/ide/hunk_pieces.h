// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/text_lines.h"
#include "widgets/shown_hunk.h"

namespace warpwright {

/// Where lines change between the two, and which words of them.
void addPieces(ShownHunk &shown, const TextLines &old, const TextLines &wanted);

} // namespace warpwright
