// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/process/worker_process.h"
#include "referee/sandbox/sandbox_spec.h"

namespace warpwright {

/// Tests a sandbox from both sides while only our own code runs in it: the worker tries to get out, the
/// judge looks at what /proc says of it and at what it left outside.
///
/// Throws SandboxFault when what must hold does not: no filter, files in reach, another's memory, a network.
/// Returns {kind, lacks[], tried[]}; lacks names what this kind never gives, and what was found wanting.
Json witnessSandbox(WorkerProcess &worker, const SandboxSpec &spec, const std::string &secret,
                    const std::string &outsideFolder);

} // namespace warpwright
