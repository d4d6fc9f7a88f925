// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler_views/verdict_look.h"

class QPainter;

namespace warpwright {

class Look;

/// A verdict as shape and word on its own ground, 22 px high; a stale one has a dashed edge. Gives the width.
/// With a null painter it only measures.
int drawVerdictBadge(QPainter *painter, const Look &look, const VerdictLook &verdict, bool isStale, int x,
                     int centreY);

} // namespace warpwright
