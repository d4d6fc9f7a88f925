// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/timing/stand_in.h"

namespace warpwright {

namespace {

// Two runs of one reference may add up in another order.
constexpr double allowedDifference = 1e-3;

} // namespace

TimedCandidate standIn(TaskSession &session, const std::string &arm, double extraMicroseconds) {
    if (arm != "eager" && arm != "compile")
        throw Fault("usage", "There is no arm \"" + arm + "\" that could stand in for a candidate.",
                    "It may be eager or compile.", "");
    const bool convolutions =
        session.device().memory == MemoryKind::Cuda && session.facts().value("hasConvolution", false);
    TimedCandidate candidate;
    candidate.start = [&session, arm, extraMicroseconds] {
        auto worker = session.startArm({"stand-in", "default", arm == "compile", false});
        if (extraMicroseconds > 0.0)
            worker->call("slow", {{"microseconds", extraMicroseconds}}, 60.0);
        return worker;
    };
    candidate.precision = convolutions ? "TF32" : "FP32";
    candidate.isStandIn = true;
    candidate.allowedDifference = allowedDifference;
    return candidate;
}

} // namespace warpwright
