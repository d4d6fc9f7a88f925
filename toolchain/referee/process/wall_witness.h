// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/process/worker_process.h"
#include "referee/wall/wall_spec.h"

namespace warpwright {

/// Tests a wall from both sides while only our own code runs behind it: the worker tries to get out, the
/// judge looks at what /proc says of it and at what it left outside.
///
/// Throws WallFault when what must hold does not: no filter, no wall of files, another's memory, a network.
/// Returns {kind, lacks[], tried[]}; lacks names what this kind never gives, and what was found wanting.
Json witnessWall(WorkerProcess &worker, const WallSpec &spec, const std::string &secret,
                 const std::string &outsideFolder);

} // namespace warpwright
