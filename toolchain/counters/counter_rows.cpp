// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/counters/counter_rows.h"

#include "toolchain/base/figures.h"
#include "toolchain/counters/row_maker.h"

#include <QSet>

#include <algorithm>

namespace warpwright {

namespace {

constexpr auto ofElapsed = ".avg.pct_of_peak_sustained_elapsed";

void addSpeedOfLight(RowMaker &make) {
    make.begin(CounterSection::SpeedOfLight);
    make.bar("Compute (SM)", "sm__throughput.avg.pct_of_peak_sustained_elapsed",
             "the busiest part of the SMs", 100, true);
    make.bar("Memory", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
             "the busiest part of caches and memory", 100, true);
    make.bar("L1/TEX", "l1tex__throughput.avg.pct_of_peak_sustained_active", "", 100);
    make.bar("L2", "lts__throughput.avg.pct_of_peak_sustained_elapsed", "", 100);
    make.bar("DRAM", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "", 100);
    make.fact("Time under the profiler", "gpu__time_duration.sum",
              "with the profiler's clocks and a flushed cache: not the time that a check measures");
    make.fact("SM clock", "gpc__cycles_elapsed.avg.per_second", "");
}

// The parts of which the greatest makes the throughput, as the report itself lists them.
void addBreakdown(RowMaker &make, CounterSection section, const char *of) {
    make.begin(section);
    const QString list =
        make.textOf(QStringLiteral("breakdown:") + QLatin1String(of) + QLatin1String(ofElapsed));
    std::vector<std::pair<double, QString>> parts;
    for (const QString &metric : list.split(QLatin1Char(','), Qt::SkipEmptyParts))
        if (const std::optional<double> value = make.number(metric))
            parts.emplace_back(*value, metric);
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto &a, const auto &b) { return a.first > b.first; });
    constexpr std::size_t most = 5;
    for (std::size_t i = 0; i < std::min(most, parts.size()); ++i)
        make.bar(metricWords(parts[i].second), parts[i].second, QString(), 100, false);
}

struct StallReason {
    const char *name;
    const char *help;
};

// Nsight Compute, «Warp Stall Reasons».
constexpr StallReason stallReasons[] = {
    {"long_scoreboard", "waits for global, local or texture memory (L1TEX)"},
    {"short_scoreboard", "waits for shared memory, special functions or other MIO work"},
    {"barrier", "waits for the other warps of its block at a barrier"},
    {"mio_throttle", "the queue of memory and special instructions is full"},
    {"lg_throttle", "the queue of local and global memory instructions is full"},
    {"tex_throttle", "the queue of texture instructions is full"},
    {"math_pipe_throttle", "the arithmetic pipe that it needs is busy"},
    {"wait", "a fixed latency between two dependent instructions"},
    {"not_selected", "was ready, another warp was chosen"},
    {"selected", "issued an instruction: work, no stall"},
    {"no_instruction", "waits for its next instruction: code cache, branches, end of the kernel"},
    {"branch_resolving", "waits for the target of a branch"},
    {"imc_miss", "waits for a constant"},
    {"dispatch_stall", "held back by the dispatcher"},
    {"drain", "has ended and waits for its stores"},
    {"gmma", "waits for the warpgroup's tensor core"},
    {"membar", "waits at a memory fence"},
    {"misc", "other reasons"},
    {"sleeping", "sleeps by its own instruction"},
    {"warpgroup_arrive", "waits for its warpgroup"},
};

void addWarpStates(RowMaker &make) {
    make.begin(CounterSection::WarpStates);
    const auto metricOf = [](const StallReason &reason) {
        return QStringLiteral("smsp__average_warps_issue_stalled_%1_per_issue_active.ratio")
            .arg(QLatin1String(reason.name));
    };
    std::vector<std::pair<double, const StallReason *>> reasons;
    double total = 0;
    for (const StallReason &reason : stallReasons) {
        const std::optional<double> cycles = make.number(metricOf(reason));
        if (!cycles)
            continue;
        total += *cycles;
        if (*cycles >= 0.005)
            reasons.emplace_back(*cycles, &reason);
    }
    if (reasons.empty()) {
        make.missing("Stall reasons", metricOf(stallReasons[0]));
        return;
    }
    std::stable_sort(reasons.begin(), reasons.end(),
                     [](const auto &a, const auto &b) { return a.first > b.first; });
    for (const auto &[cycles, reason] : reasons)
        make.bar(
            QString::fromLatin1(reason->name).replace(QLatin1Char('_'), QLatin1Char(' ')), metricOf(*reason),
            QString::fromLatin1(reason->help) + QStringLiteral("\n%1 of all cycles between two instructions")
                                                    .arg(percentText(cycles / total)),
            total, false);
}

void addScheduler(RowMaker &make) {
    make.begin(CounterSection::Scheduler);
    const double places = make.number("smsp__warps_active.avg.peak_sustained").value_or(16);
    make.bar("Warps it may hold", "smsp__maximum_warps_avg_per_active_cycle", "by the launch's occupancy",
             places);
    make.bar("Active warps", "smsp__warps_active.avg.per_cycle_active", "", places);
    make.bar("Eligible warps", "smsp__warps_eligible.avg.per_cycle_active", "could issue an instruction",
             places);
    make.bar("Issued", "smsp__issue_active.avg.per_cycle_active", "at most one a cycle", places);
    make.fact("No warp eligible", "smsp__issue_inst0.avg.pct_of_peak_sustained_active",
              "cycles in which nothing could be issued");
    make.fact("Instructions a cycle", "sm__inst_executed.avg.per_cycle_active", "of an SM");
}

void addLaunch(RowMaker &make, const KernelCounters &kernel) {
    make.begin(CounterSection::Launch);
    make.sizes("Grid", "launch__grid_size", kernel.grid);
    make.sizes("Block", "launch__block_size", kernel.block);
    make.fact("Registers a thread", "launch__registers_per_thread", "", QString());
    make.fact("Static shared memory", "launch__shared_mem_per_block_static", "of a block");
    make.fact("Dynamic shared memory", "launch__shared_mem_per_block_dynamic", "of a block");
    make.fact("Waves", "launch__waves_per_multiprocessor", "how often the blocks fill the whole device");
    make.bar("Theoretical occupancy", "sm__maximum_warps_per_active_cycle_pct", "", 100);
    make.bar("Achieved occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active", "", 100);
    struct Limit {
        const char *label;
        const char *metric;
    };
    constexpr Limit limits[] = {{"Blocks, by registers", "launch__occupancy_limit_registers"},
                                {"Blocks, by shared memory", "launch__occupancy_limit_shared_mem"},
                                {"Blocks, by warps", "launch__occupancy_limit_warps"},
                                {"Blocks, by the SM's own limit", "launch__occupancy_limit_blocks"}};
    double least = 1e9;
    for (const Limit &limit : limits)
        least = std::min(least, make.number(limit.metric).value_or(1e9));
    for (const Limit &limit : limits) {
        const bool isLimit = make.number(limit.metric) == least;
        make.fact(limit.label, limit.metric, isLimit ? "this limits the occupancy" : "", QString(), isLimit);
    }
}

void addInstructions(RowMaker &make, const KernelCounters &kernel) {
    make.begin(CounterSection::Instructions);
    if (kernel.opcodes.empty()) {
        make.missing("Opcodes", QStringLiteral("sass__inst_executed_per_opcode"));
        return;
    }
    std::vector<std::pair<double, QString>> opcodes;
    double total = 0;
    for (const auto &[name, count] : kernel.opcodes) {
        opcodes.emplace_back(count, name);
        total += count;
    }
    std::stable_sort(opcodes.begin(), opcodes.end(),
                     [](const auto &a, const auto &b) { return a.first > b.first; });
    for (const auto &[count, name] : opcodes)
        make.opcode(name, count, total);
}

} // namespace

std::vector<CounterRow> counterRows(const CountedLaunch &launch, const CountedLaunch &baseline) {
    const KernelCounters *kernel = launch.launch();
    if (kernel == nullptr)
        return {};
    RowMaker make(launch, baseline);
    addSpeedOfLight(make);
    addBreakdown(make, CounterSection::ComputeBreakdown, "sm__throughput");
    addBreakdown(make, CounterSection::MemoryBreakdown, "gpu__compute_memory_throughput");
    make.addMemory();
    addWarpStates(make);
    addScheduler(make);
    addLaunch(make, *kernel);
    addInstructions(make, *kernel);
    make.addRules(*kernel);
    return make.rows();
}

} // namespace warpwright
