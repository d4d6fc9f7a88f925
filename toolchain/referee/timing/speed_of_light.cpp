// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/timing/speed_of_light.h"

#include <algorithm>

namespace warpwright {

double speedOfLightMicroseconds(TaskSession &session) {
    const Ceilings &ceilings = session.ceilings();
    const Json &facts = session.facts();
    const auto &allowed = session.allowedPrecision();
    const bool tf32 = ceilings.tf32FlopsPerSecond > 0.0 &&
                      std::find(allowed.begin(), allowed.end(), "TF32") != allowed.end();
    const double matrix = facts.value("matrixFlops", 0.0);
    const double other = facts.value("flops", 0.0) - matrix;
    const double single = tf32 ? std::max(ceilings.tf32FlopsPerSecond, ceilings.fp32FlopsPerSecond)
                               : ceilings.fp32FlopsPerSecond;
    // Products of 16-bit operands have units of their own; on a CPU nothing of the kind is known.
    const double half = facts.value("halfMatrixFlops", 0.0);
    const double matrixSeconds =
        half / std::max(ceilings.halfFlopsPerSecond, single) + (matrix - half) / single;
    const double memorySeconds = facts.value("bytes", 0.0) / ceilings.bytesPerSecond();
    return std::max({matrixSeconds, other / ceilings.fp32FlopsPerSecond, memorySeconds}) * 1e6;
}

double fastestMoveMicroseconds(TaskSession &session) {
    const Json &facts = session.facts();
    const double parameters = facts.value("parameters", Json::object()).value("bytes", 0.0);
    return (facts.value("bytes", 0.0) - parameters) / session.ceilings().bytesPerSecond() * 1e6;
}

} // namespace warpwright
