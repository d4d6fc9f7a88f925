// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of profiling.h that says what the times mean.
#include "referee/base/stage_answer.h"
#include "referee/timing/profiling.h"
#include "referee/timing/speed_of_light.h"

#include <algorithm>
#include <cmath>

namespace warpwright {

namespace {

// Wider than that, and an interval on both sides of 1 says nothing; wider than the second, no interval does.
constexpr double wideHalfWidth = 0.15;
constexpr double uselessHalfWidth = 0.5;

constexpr double leastOverlap = 0.05; ///< the part of a call's time by which calls may seem to be quicker

constexpr int leastLateEnds = 3;
constexpr double lateShare = 0.3; ///< of all batches

} // namespace

bool Profiling::isEnough() const {
    if (m_process < m_plan.leastProcesses)
        return false;
    if (m_process >= m_plan.mostProcesses)
        return true;
    const double passed = static_cast<double>(monotonicNanoseconds() - m_started) * 1e-9;
    return passed > m_plan.processLimitSeconds || certificate().isGiven();
}

// Whoever cancels gets no answer; whole processes are told before.
void Profiling::tellProcess() const {
    if (!m_wish.tellProcess)
        return;
    const auto add = [this](Json &lane, const std::string &name, const TimedArm &arm) {
        Json times = Json::array();
        for (size_t i = 0; i < std::min(arm.microseconds.size(), arm.processes.size()); ++i) {
            if (arm.processes[i] == m_process)
                times.push_back(arm.microseconds[i]);
        }
        if (!times.empty())
            lane[name] = std::move(times);
    };
    Json calls = Json::object();
    Json graph = Json::object();
    add(calls, m_calls.name, m_calls);
    add(graph, m_graph.name, m_graph);
    for (const BaselineArm &arm : m_arms.all()) {
        if (!arm.live)
            continue;
        add(calls, arm.spec.name, arm.calls);
        add(graph, arm.spec.name, arm.graph);
    }
    m_wish.tellProcess({{"process", m_process + 1}, {"calls", calls}, {"graph", graph}});
}

std::string Profiling::method() const {
    std::string text =
        "wall time of the judge around batches of calls, less an empty batch; interleaved randomised blocks, "
        "inputs rotating over " +
        std::to_string(m_plan.sets) +
        " sets that change before each of the candidate's batches, cache overwritten before each batch; ";
    if (isCertify())
        return text + "every arm in " + std::to_string(m_process) +
               " fresh processes; means of the processes' medians with 95 % intervals over processes; "
               "certify "
               "tier";
    text += "medians with 95 % bootstrap intervals over blocks, widened by the spread between "
            "processes; quick tier";
    if (m_wish.longerSeconds > 0.0)
        text += ", blocks for up to " + std::to_string(std::lround(m_wish.longerSeconds)) + " s";
    return text;
}

LaneOutcome Profiling::outcomeOf(Lane lane) const {
    LaneOutcome outcome;
    if (lane == Lane::Graph && !m_noGraphs.empty()) {
        outcome.missing = m_noGraphs;
        return outcome;
    }
    const TimedArm &candidate = lane == Lane::Calls ? m_calls : m_graph;
    if (const Json same = m_arms.speedupJson(candidate, lane)["sameClass"]; same.is_object())
        outcome.speedup = Interval{same["value"], same["low"], same["high"]};
    for (const BaselineArm &arm : m_arms.all()) {
        if (arm.spec.name == m_twinOf && arm.has(lane) && m_twin.has(lane))
            outcome.sameAgain = m_arms.ratio(arm.timed(lane), m_twin.timed(lane), lane);
    }
    if (!outcome.speedup || !outcome.sameAgain)
        outcome.missing = "the baselines could not be measured";
    return outcome;
}

Certificate Profiling::certificate() const {
    return Certificate(m_twinOf, outcomeOf(Lane::Calls), outcomeOf(Lane::Graph));
}

Json Profiling::graphJson() const {
    const bool hasTimes = m_noGraphs.empty() && m_graphTimer && !m_graph.microseconds.empty();
    Json uncaptured = Json::object();
    for (const BaselineArm &arm : m_arms.all()) {
        if (!arm.uncaptured.empty())
            uncaptured[arm.spec.name] = arm.uncaptured;
    }
    return {
        {"status", hasTimes ? "passed" : "not-run"},
        {"reason", hasTimes             ? ""
                   : m_noGraphs.empty() ? "not reached"
                                        : m_noGraphs},
        {"arms", hasTimes ? m_arms.armsJson(m_graph, Lane::Graph) : Json::object()},
        {"speedup", hasTimes ? m_arms.speedupJson(m_graph, Lane::Graph) : Json::object()},
        {"blocks", hasTimes ? m_graphTimer->blocks() : Json::array()},
        {"uncaptured", uncaptured},
    };
}

Json Profiling::beforeJson() const {
    if (m_wish.before.empty())
        return nullptr;
    if (!m_before.has(Lane::Calls) || m_calls.microseconds.empty())
        return {{"status", "not-run"}, {"reason", m_before.lost.empty() ? "not reached" : m_before.lost}};
    Json before = m_arms.besideJson(m_before.calls, m_calls, Lane::Calls);
    before["status"] = "passed";
    before["reason"] = "";
    const bool hasGraph = m_noGraphs.empty() && m_before.has(Lane::Graph) && !m_graph.microseconds.empty();
    before["graph"] = hasGraph ? m_arms.besideJson(m_before.graph, m_graph, Lane::Graph) : Json();
    return before;
}

// Parameters may stay in the cache from call to call; rotating inputs and outputs cannot. Where the result is
// the same whatever comes in, inputs need not be read.
bool Profiling::isImpossible(const TimedArm &timed) const {
    return m_plan.isCold && m_session.degeneracy().empty() && !timed.microseconds.empty() &&
           medianWithInterval(timed.microseconds).high < 0.7 * fastestMoveMicroseconds(m_session);
}

void Profiling::settleImpossible(const TimedArm &timed) {
    settle("impossible",
           "The candidate took " + std::to_string(median(timed.microseconds)) +
               " us a call; this device cannot even read the inputs and write the outputs in that time (" +
               std::to_string(speedOfLightMicroseconds(m_session)) + " us at its measured ceilings).",
           "Something is not computed: results kept from earlier calls, or work that runs later.");
    m_answer["integrity"]["status"] = "failed";
    m_answer["integrity"]["findings"].push_back({{"kind", "impossible-time"},
                                                 {"rule", "impossible-time"},
                                                 {"evidence", "faster than the measured bandwidth allows"},
                                                 {"place", nullptr}});
}

// Its time holds that work; who says again and again that it is done when it is not means to.
void Profiling::rejectWorkAfterEnd() {
    const TimedArm &arm = m_calls;
    if (arm.lateEnds < leastLateEnds || arm.lateEnds < lateShare * arm.batches ||
        arm.busyStarts >= arm.lateEnds / 2)
        return;
    StageAnswer(m_answer).reject(
        "works-after-end",
        std::to_string(arm.lateEnds) + " of " + std::to_string(arm.batches) +
            " batches of timed calls left the device at work after their end",
        "The candidate's kernels still ran when its process said that a batch of timed calls was over.",
        "Let every stream that a call uses be joined with the current one before the call returns.");
}

// In a graph, calls come one after the other, and there is no time between them.
void Profiling::rejectOverlap() {
    if (m_graph.microseconds.empty() || m_calls.microseconds.empty())
        return;
    double share = leastOverlap;
    for (const BaselineArm &arm : m_arms.all()) {
        if (arm.live && arm.uncaptured.empty() && !arm.graph.microseconds.empty())
            share = std::max(share, 1.0 - median(arm.calls.microseconds) / median(arm.graph.microseconds));
    }
    const Interval calls = medianWithInterval(m_calls.microseconds);
    const Interval graph = medianWithInterval(m_graph.microseconds);
    if (calls.high >= graph.low * (1.0 - share))
        return;
    StageAnswer(m_answer).reject(
        "calls-overlap",
        "a call takes " + std::to_string(calls.value) + " us (at most " + std::to_string(calls.high) +
            "), and one after the other in a graph " + std::to_string(graph.value) + " us (at least " +
            std::to_string(graph.low) + ")",
        "The candidate's calls work beside each other or ahead: a call takes less time than it does when the "
        "calls come one after the other.",
        "A call may begin when those before it are over, and with its own inputs only.");
}

void Profiling::judge() {
    StageAnswer stage(m_answer);
    rejectWorkAfterEnd();
    rejectOverlap();
    if (m_calls.wasSlowed)
        stage.doubt("The device lowered its clock while measuring; see the clock track.");
    if (const double foreign = m_arms.foreignShareBeside(m_calls); foreign > 0.0)
        stage.doubt("Other programs kept the processors busy: up to " +
                    std::to_string(std::lround(foreign * 100.0)) +
                    " % of an arm's time may be theirs. The intervals hold that.");
    if (isImpossible(m_calls))
        settleImpossible(m_calls);
    else if (m_noGraphs.empty() && isImpossible(m_graph))
        settleImpossible(m_graph);
    if (!stage.isOpen())
        return;
    if (medianWithInterval(m_calls.microseconds).high < speedOfLightMicroseconds(m_session))
        stage.doubt("The candidate is faster than the speed of light shown: that is what "
                    "LibTorch's own operations reached on this device, not a law.");
    const Json &same = m_answer["profile"]["speedup"]["sameClass"];
    if (!same.is_object()) {
        settle("inconclusive", "No baseline of the candidate's precision could be measured.",
               "See the doubts for why the baselines failed.");
        return;
    }
    const double half = (same.value("high", 0.0) - same.value("low", 0.0)) / 2.0 / same.value("value", 1.0);
    const bool isUndecided = same.value("low", 0.0) < 1.0 && same.value("high", 0.0) > 1.0;
    // A sample of zero makes the width infinite or no number; such times decide nothing either.
    if (!std::isfinite(half)) {
        settle("inconclusive", "A measured time was zero: the clock cannot resolve this candidate.",
               "Check again; if it stays so, give the task larger inputs.");
        return;
    }
    const Json &graph = m_answer["profile"]["graph"]["speedup"].value("sameClass", Json());
    const bool isKnownAsGraph = graph.is_object() && graph.value("high", 0.0) - graph.value("low", 0.0) <
                                                         2.0 * wideHalfWidth * graph.value("value", 0.0);
    if (half > uselessHalfWidth || (half > wideHalfWidth && isUndecided && !isKnownAsGraph))
        settle("inconclusive",
               "The times scatter too much: the interval is " + std::to_string(std::lround(half * 100.0)) +
                   " % to each side.",
               "Let the machine do nothing else, then check again; the certify tier measures longer.");
    if (!isCertify() || !stage.isOpen())
        return;
    const Certificate found = certificate();
    if (!found.isGiven())
        settle("inconclusive",
               "The speed-up is not certain. " + found.toJson(m_process).value("reason", std::string()),
               "Let the machine do nothing else, then check again; the quick tier gives a wider interval "
               "without a certificate.");
    else if (found.lane() == "graph")
        stage.doubt("Call by call the speed-up is not certain (" + found.whyNotCalls() +
                    "); what is certified is that of one CUDA graph of many calls.");
}

} // namespace warpwright
