// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/task/memory_plan.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace warpwright {

namespace {

// What each buffer is, in verification and profile: the table in README.md, «Memory».
constexpr int roomyProcesses = 4; // judge, reference, oracle, candidate
constexpr uint64_t leastForSlack = uint64_t{32} << 20;
constexpr double shareForSlack = 0.02;               // fragments, workspaces of libraries
constexpr uint64_t mostForParts = uint64_t{1} << 30; // a comparison's parts of 16 million elements

// What a comparison's parts, libraries' workspaces and fragments take.
uint64_t aside(const MemoryNeeds &needs, const MemorySupply &supply) {
    const uint64_t parts = supply.parts ? std::min(mostForParts, 12 * needs.results) : 0;
    const auto slack =
        supply.parts ? static_cast<uint64_t>(shareForSlack * static_cast<double>(supply.device)) : 0;
    return parts + std::max(leastForSlack, slack);
}

// Everything at once, as long as anybody might want it.
uint64_t roomy(const MemoryNeeds &needs, const MemorySupply &supply) {
    const uint64_t inputs =
        1 + 1 + 1 + 2 + 1; // the region, as drawn, the reference's clone, the oracle's in fp64, evidence
    const uint64_t forwards = 1 + 2 + 1; // reference, oracle in fp64, candidate
    // Yardsticks, candidate's of this round and the one before, a copy, the oracle's (2) when it runs again.
    const uint64_t results = 2 + 2 + 1 + 2;
    // Region, first ones, reference, oracle (2), candidate, its copies (3), evidence.
    const uint64_t parameters = 10;
    return inputs * needs.inputs + forwards * needs.forward + results * needs.results +
           parameters * needs.parameters + roomyProcesses * supply.each + aside(needs, supply);
}

// Several live arms, each with its results, when sets and rings have their shares.
bool areArmsRoomy(const MemoryNeeds &needs, const MemorySupply &supply) {
    const uint64_t arms = 4;
    return static_cast<double>(arms * (needs.forward + needs.parameters + supply.each) + needs.inputs) <=
           0.6 * static_cast<double>(supply.free);
}

// What stays in any plan: processes with their parameters.
uint64_t base(const MemoryNeeds &needs, const MemorySupply &supply, uint64_t processes) {
    return processes * supply.each + (processes + 2) * needs.parameters + aside(needs, supply);
}

// The candidate's call, which may take as much as the reference's, beside inputs and the reference's results.
uint64_t smallest(const MemoryNeeds &needs, const MemorySupply &supply) {
    return base(needs, supply, 3) + needs.inputs + needs.forward + needs.results;
}

uint64_t oracleWhole(const MemoryNeeds &needs, const MemorySupply &supply) {
    const uint64_t whileItRuns = 3 * needs.inputs + 2 * needs.forward;
    const uint64_t whileOthersRun = needs.inputs + 2 * needs.results + needs.results + needs.forward;
    return base(needs, supply, 5) + std::max(whileItRuns, whileOthersRun);
}

// Asked for while the candidate's results are compared; 0: there is no room for any part.
int64_t piecesFor(const MemoryNeeds &needs, const MemorySupply &supply) {
    const uint64_t taken = base(needs, supply, 5) + needs.inputs + 2 * needs.results;
    if (needs.rows < 2 || taken >= supply.free)
        return 0;
    // Where a class is asked for, the results of its yardstick lie beside them.
    const uint64_t left = supply.free - taken;
    for (const uint64_t room : {std::max(left / 2, left - std::min(left, needs.results)), left}) {
        const double pieces = 1.0 + std::ceil(2.0 * static_cast<double>(needs.inputs + needs.forward) /
                                              static_cast<double>(room));
        if (pieces <= static_cast<double>(needs.rows))
            return std::max<int64_t>(2, static_cast<int64_t>(pieces));
    }
    return 0;
}

int setsFor(const MemoryNeeds &needs, const MemorySupply &supply) {
    const uint64_t taken = base(needs, supply, 8) + needs.forward + 2 * needs.results;
    if (taken >= supply.free || needs.inputs == 0)
        return 1;
    return static_cast<int>(std::clamp<uint64_t>((supply.free - taken) / 2 / needs.inputs, 1, 512));
}

} // namespace

std::string gibibytes(uint64_t bytes) {
    char text[32];
    const double mebibytes = static_cast<double>(bytes) / 1048576.0;
    if (mebibytes < 1024.0)
        std::snprintf(text, sizeof text, "%.0f MiB", mebibytes);
    else
        std::snprintf(text, sizeof text, "%.1f GiB", mebibytes / 1024.0);
    return text;
}

std::string whyNone(const MemoryNeeds &needs, const MemorySupply &supply) {
    const std::string call = "One eager call of the reference takes " + gibibytes(needs.peak()) +
                             " (inputs " + gibibytes(needs.inputs) + ", parameters " +
                             gibibytes(needs.parameters) + ", intermediates and results " +
                             gibibytes(needs.forward) + ")";
    const auto most = static_cast<uint64_t>(shareForOneCall * static_cast<double>(supply.device));
    if (needs.peak() > most)
        return call + ", more than the " + gibibytes(most) + " (45 % of the device's " +
               gibibytes(supply.device) + ") that leave room for a candidate's call beside its results.";
    if (const uint64_t least = smallest(needs, supply); least > supply.free)
        return call + "; with a candidate's call beside its results that is " + gibibytes(least) +
               ", and the device has " + gibibytes(supply.free) + " free.";
    return {};
}

std::vector<MemoryPlan> planMemory(const MemoryNeeds &needs, const MemorySupply &supply) {
    std::vector<MemoryPlan> plans;
    if (!whyNone(needs, supply).empty())
        return plans;
    if (roomy(needs, supply) <= supply.free && areArmsRoomy(needs, supply))
        plans.push_back({});
    MemoryPlan plan;
    plan.isRoomy = false;
    plan.mostSets = setsFor(needs, supply);
    if (oracleWhole(needs, supply) <= supply.free)
        plans.push_back(plan);
    if (const int64_t pieces = piecesFor(needs, supply); pieces > 0) {
        plan.oracle = MemoryPlan::Oracle::Pieces;
        for (int64_t count = pieces; count <= std::min(needs.rows, 4 * pieces); count *= 2) {
            plan.pieces = static_cast<int>(count);
            plans.push_back(plan);
        }
        plan.pieces = 1;
    }
    const uint64_t onHost = 3 * needs.inputs + 2 * needs.forward + 3 * needs.parameters;
    if (supply.host > 0 && onHost + onHost / 8 <= supply.host) {
        plan.oracle = MemoryPlan::Oracle::OnCpu;
        plan.doubt = "The fp64 oracle was computed on the CPU: for " + gibibytes(needs.peak()) +
                     " a call the device has no room for it.";
        plans.push_back(plan);
    }
    plan.oracle = MemoryPlan::Oracle::None;
    plan.doubt = "There was no fp64 oracle: in fp64 one call takes " + gibibytes(2 * needs.peak()) +
                 ", more than the device and the system have free. Errors are measured against the reference "
                 "itself.";
    plans.push_back(plan);
    return plans;
}

} // namespace warpwright
