// SPDX-License-Identifier: GPL-3.0-or-later
// Finds rooms that include each other in a circle.
#pragma once

#include "tests/guards/allow_list.h"
#include "tests/guards/include_graph.h"

namespace warpwright {

/// A room is a header with the source of the same name; a knot are rooms that all reach each other by
/// includes. One fault a part of the house, as "agent/playbook", with the sizes of its knots; the complaint
/// names their rooms. A knot through several parts belongs to the folder that holds them all.
QVector<GuardFault> knotFaults(const QVector<IncludeArrow> &arrows);

} // namespace warpwright
