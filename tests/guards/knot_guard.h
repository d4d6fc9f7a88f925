// SPDX-License-Identifier: GPL-3.0-or-later
// Finds modules that include each other in a circle.
#pragma once

#include "tests/guards/allow_list.h"
#include "tests/guards/include_graph.h"

namespace warpwright {

/// A module is a header with the source of the same name; a knot is a set of modules that all reach each
/// other by includes. One fault a knot, whose key is its modules: one knot may not be exchanged for another.
QVector<GuardFault> knotFaults(const QVector<IncludeArrow> &arrows);

} // namespace warpwright
