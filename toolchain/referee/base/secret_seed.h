// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace warpwright {

/// A seed that nobody can foresee, of 48 bits, from the system's random source. It is told to trusted workers
/// only: a candidate that knew it could draw the inputs itself. Throws Fault, "environment".
uint64_t secretSeed();

} // namespace warpwright
