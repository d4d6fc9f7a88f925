// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/findings/counted_kernel.h"

#include "toolchain/judge/evaluation_facts.h"

#include <cmath>

using namespace warpwright;

CountedKernel::CountedKernel(const char *name, double microseconds) {
    value.arm = QStringLiteral("candidate");
    value.function = QString::fromLatin1(name);
    value.name = value.function + QStringLiteral("(const float *, float *, int)");
    value.mangled = QStringLiteral("_Z%1%2PKfPfi").arg(value.function.size()).arg(value.function);
    shape(10560, 256);
    metric("gpu__time_duration.sum", microseconds * 1000);
    metric("launch__sm_count", 132);
    metric("launch__waves_per_multiprocessor", 10);
    metric("gpc__cycles_elapsed.max", 200000);
    metric("sm__cycles_active.avg", 196000);
    metric("l1tex__cycles_elapsed.sum", 132 * 200000.0);
    metric("dram__bytes.sum.peak_sustained", 1504);
    metric("dram__cycles_elapsed.avg.per_second", 3.2e9);
    metric("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 50);
    metric("lts__throughput.avg.pct_of_peak_sustained_elapsed", 40);
    metric("sm__throughput.avg.pct_of_peak_sustained_elapsed", 30);
    metric("sm__maximum_warps_per_active_cycle_pct", 100);
    metric("sm__warps_active.avg.pct_of_peak_sustained_active", 95);
    metric("sm__warps_active.avg.per_cycle_active", 60.8);
    metric("launch__occupancy_limit_warps", 8);
    metric("launch__occupancy_limit_registers", 16);
    metric("launch__occupancy_limit_shared_mem", 32);
}

CountedKernel &CountedKernel::metric(const char *name, double number) {
    CounterValue counted;
    counted.number = number;
    value.metrics[QString::fromLatin1(name)] = counted;
    return *this;
}

CountedKernel &CountedKernel::shape(int blocks, int threads) {
    value.grid = {blocks, 1, 1};
    value.block = {threads, 1, 1};
    return *this;
}

double CountedKernel::warps() const {
    return value.grid[0] * std::ceil(value.block[0] / 32.0);
}

CountedKernel &CountedKernel::at(const char *sass, int line, Values values) {
    InstructionCounters one;
    one.address = value.instructions.size() * 16;
    one.text = QString::fromLatin1(sass);
    one.file = QStringLiteral("/build/kernels/k.cu");
    one.line = line;
    one.values[QStringLiteral("executed")] = warps();
    double stalls = 0;
    for (const auto &[name, number] : values) {
        one.values[QString::fromLatin1(name)] = number;
        if (QByteArray(name).startsWith("stall."))
            stalls += number;
    }
    if (stalls > 0 && one.value(QStringLiteral("samples")) == 0)
        one.values[QStringLiteral("samples")] = stalls;
    if (one.value(QStringLiteral("threads")) == 0)
        one.values[QStringLiteral("threads")] = 32 * one.value(QStringLiteral("executed"));
    value.instructions.push_back(one);
    return *this;
}

Counters countersOf(const std::vector<CountedKernel> &kernels) {
    Counters counters;
    counters.id = QStringLiteral("c1");
    counters.device = QStringLiteral("NVIDIA H200");
    counters.computeCapability = QStringLiteral("9.0");
    counters.multiprocessors = 132;
    for (const CountedKernel &kernel : kernels) {
        counters.kernels.push_back(kernel.value);
        counters.kernels.back().launch = static_cast<int>(counters.kernels.size()) - 1;
    }
    return counters;
}

FindingInput inputOf(const std::vector<CountedKernel> &kernels) {
    FindingInput input;
    input.counters = countersOf(kernels);
    return input;
}

Evaluation checkOf(double callMicroseconds, double taskBytes, double matrixFlops,
                   const QStringList &allowed) {
    Evaluation evaluation = emptyEvaluation(QStringLiteral("test"));
    evaluation.id = QStringLiteral("e1");
    evaluation.verdict = Verdict::Pass;
    evaluation.precisionAllowed = allowed;
    evaluation.task = OrderedJson{
        {"flops", std::max(matrixFlops, taskBytes / 4)},
        {"bytes", taskBytes},
        {"matrixFlops", matrixFlops},
        {"inputs",
         OrderedJson::array({{{"name", "input[0]"}, {"dtype", "float32"}, {"shape", {4096, 4096}}}})}};
    evaluation.device = OrderedJson{{"kind", "cuda"},
                                    {"name", "NVIDIA H200"},
                                    {"architecture", "sm_90a"},
                                    {"lastLevelCacheBytes", 62914560},
                                    {"ceilings",
                                     {{"bf16FlopsPerSecond", 790e12},
                                      {"copyBytesPerSecond", 4.2e12},
                                      {"fp32FlopsPerSecond", 51e12},
                                      {"readBytesPerSecond", 4.4e12},
                                      {"tf32FlopsPerSecond", 410e12}}}};
    evaluation.profile = OrderedJson{{"status", "passed"},
                                     {"arms",
                                      {{"candidate",
                                        {{"live", true},
                                         {"medianMicroseconds", callMicroseconds},
                                         {"lowMicroseconds", callMicroseconds},
                                         {"highMicroseconds", callMicroseconds},
                                         {"samples", 15}}}}}};
    return evaluation;
}

QStringList idsOf(const Findings &findings) {
    QStringList ids;
    for (const Finding &finding : findings.list)
        ids << finding.id;
    return ids;
}
