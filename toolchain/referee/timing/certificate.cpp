// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/timing/certificate.h"

#include <cmath>
#include <cstdio>

namespace warpwright {

namespace {

constexpr double mostHalfWidth = 0.01;
constexpr double mostOffset = 0.01; // of the same code against itself, both ends of the interval

std::string percent(double share) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f %%", share * 100.0);
    return text;
}

// Empty: the lane is certain.
std::string whyUncertain(const LaneOutcome &lane) {
    if (!lane.speedup || !lane.sameAgain)
        return lane.missing.empty() ? "it was not measured" : lane.missing;
    // Not `>`: an interval that is no number is not certain.
    if (!(lane.speedup->relativeHalfWidth() <= mostHalfWidth))
        return "the interval is " + percent(lane.speedup->relativeHalfWidth()) + " to each side, more than " +
               percent(mostHalfWidth);
    if (!(std::abs(lane.sameAgain->low - 1.0) <= mostOffset &&
          std::abs(lane.sameAgain->high - 1.0) <= mostOffset))
        return "the baseline against itself, in two processes, came to " +
               percent(lane.sameAgain->low - 1.0) + " to " + percent(lane.sameAgain->high - 1.0) +
               " of difference, more than " + percent(mostOffset);
    return {};
}

Json intervalJson(const std::optional<Interval> &interval) {
    if (!interval)
        return nullptr;
    return {{"value", interval->value}, {"low", interval->low}, {"high", interval->high}};
}

} // namespace

Certificate::Certificate(std::string baseline, LaneOutcome calls, LaneOutcome graph)
    : m_baseline(std::move(baseline)),
      m_calls(std::move(calls)),
      m_graph(std::move(graph)),
      m_whyNotCalls(whyUncertain(m_calls)),
      m_whyNotGraph(whyUncertain(m_graph)) {
    if (m_whyNotCalls.empty())
        m_lane = "calls";
    else if (m_whyNotGraph.empty())
        m_lane = "graph";
}

Json Certificate::toJson(int processes) const {
    std::string reason;
    if (!m_whyNotCalls.empty())
        reason = "Call by call: " + m_whyNotCalls + ".";
    if (!isGiven())
        reason += " As one CUDA graph: " + m_whyNotGraph + ".";
    return {
        {"status", isGiven() ? "passed" : "failed"},
        {"lane", isGiven() ? Json(m_lane) : Json()},
        {"processes", processes},
        {"sameAgain",
         {{"arm", m_baseline},
          {"calls", intervalJson(m_calls.sameAgain)},
          {"graph", intervalJson(m_graph.sameAgain)}}},
        {"reason", reason},
    };
}

Json noCertificate(const std::string &reason) {
    return {{"status", "not-run"},
            {"lane", nullptr},
            {"processes", 0},
            {"sameAgain", nullptr},
            {"reason", reason}};
}

} // namespace warpwright
