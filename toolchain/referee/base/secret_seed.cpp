// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/base/secret_seed.h"

#include "referee/base/fault.h"

#include <cerrno>
#include <cstring>
#include <sys/random.h>

namespace warpwright {

uint64_t secretSeed() {
    uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed))
        throw Fault("environment", "Cannot draw a secret seed.", std::strerror(errno),
                    "The system's random source is not usable.");
    return seed >> 16; // exact in every JSON reader
}

} // namespace warpwright
