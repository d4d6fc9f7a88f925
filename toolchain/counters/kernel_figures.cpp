// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/counters/kernel_figures.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <map>

namespace warpwright {
namespace {

constexpr std::pair<const char *, const char *> words[] = {
    {"barrier", "waits at __syncthreads"},
    {"branch_resolving", "waits for a branch's target"},
    {"dispatch_stall", "the dispatcher holds it back"},
    {"drain", "waits for its stores before it ends"},
    {"gmma", "waits for the warpgroup's tensor core"},
    {"imc_miss", "waits for a constant"},
    {"lg_throttle", "the LG queue is full: global and local memory"},
    {"long_scoreboard", "waits for global or local memory"},
    {"math_pipe_throttle", "the math pipe is busy"},
    {"membar", "waits at a memory fence"},
    {"mio_throttle", "the MIO queue is full: shared memory, special functions"},
    {"misc", "another reason"},
    {"no_instructions", "waits for its instructions"},
    {"not_selected", "ready, and another warp was chosen"},
    {"selected", "issues"},
    {"short_scoreboard", "waits for shared memory or a special function"},
    {"sleeping", "sleeps"},
    {"tex_throttle", "the texture queue is full"},
    {"wait", "waits a fixed time for its last instruction"},
    {"warpgroup_arrive", "waits for its warpgroup"},
};

} // namespace

std::vector<StallShare> stallShares(const KernelCounters &kernel) {
    std::map<QString, double> byReason;
    double all = 0;
    for (const InstructionCounters &instruction : kernel.instructions)
        for (const auto &[name, value] : instruction.values)
            if (name.startsWith(QLatin1String("stall."))) {
                byReason[name.mid(6)] += value;
                all += value;
            }
    std::vector<StallShare> shares;
    for (const auto &[reason, samples] : byReason)
        shares.push_back({reason, samples, samples / all});
    std::stable_sort(shares.begin(), shares.end(), [](const StallShare &one, const StallShare &other) {
        return one.samples > other.samples;
    });
    return shares;
}

std::vector<HotLine> hotLines(const KernelCounters &kernel) {
    struct Sum {
        HotLine line;
        std::map<QString, double> stalls;
    };
    std::map<std::pair<QString, int>, Sum> sums;
    double all = 0;
    for (const InstructionCounters &instruction : kernel.instructions) {
        Sum &sum = sums[{instruction.file, instruction.line}];
        sum.line.file = instruction.file;
        sum.line.line = instruction.line;
        sum.line.samples += instruction.value(QStringLiteral("samples"));
        sum.line.sectors += instruction.value(QStringLiteral("sectors"));
        sum.line.sectorsIdeal += instruction.value(QStringLiteral("sectorsIdeal"));
        sum.line.wavefronts += instruction.value(QStringLiteral("wavefronts"));
        sum.line.wavefrontsIdeal += instruction.value(QStringLiteral("wavefrontsIdeal"));
        all += instruction.value(QStringLiteral("samples"));
        for (const auto &[name, value] : instruction.values)
            if (name.startsWith(QLatin1String("stall.")))
                sum.stalls[name.mid(6)] += value;
    }
    std::vector<HotLine> lines;
    for (auto &[place, sum] : sums) {
        double most = 0;
        for (const auto &[reason, samples] : sum.stalls)
            if (samples > most) {
                most = samples;
                sum.line.topStall = reason;
            }
        sum.line.share = all > 0 ? sum.line.samples / all : 0;
        lines.push_back(sum.line);
    }
    std::stable_sort(lines.begin(), lines.end(),
                     [](const HotLine &one, const HotLine &other) { return one.samples > other.samples; });
    return lines;
}

QString stallWords(const QString &reason) {
    for (const auto &[name, text] : words)
        if (reason == QLatin1String(name))
            return QLatin1String(text);
    return reason;
}

std::optional<double> dramBytes(const KernelCounters &kernel) {
    const auto read = kernel.number("dram__bytes_read.sum");
    const auto written = kernel.number("dram__bytes_write.sum");
    if (read && written)
        return *read + *written;
    return kernel.number("dram__bytes.sum");
}

std::optional<double> dramBytesPerSecond(const KernelCounters &kernel) {
    const auto bytes = dramBytes(kernel);
    const auto time = kernel.microseconds();
    if (bytes && time && *time > 0)
        return *bytes / (*time * 1e-6);
    return kernel.number("dram__bytes.sum.per_second");
}

std::optional<double> coreFlops(const KernelCounters &kernel) {
    std::optional<double> flops;
    // The roofline's section has them by cycle only.
    auto cycles = kernel.number("smsp__cycles_elapsed.avg");
    // A full set of 2025.3 has the cycles as a rate alone.
    const auto hertz = kernel.number("smsp__cycles_elapsed.avg.per_second");
    const auto time = kernel.microseconds();
    if (!cycles && hertz && time)
        cycles = *hertz * *time * 1e-6;
    const auto add = [&](const char *type) {
        for (const auto &[operation, factor] : {std::pair{"add", 1.0}, {"mul", 1.0}, {"fma", 2.0}}) {
            const QString metric = QStringLiteral("smsp__sass_thread_inst_executed_op_%1%2_pred_on.sum")
                                       .arg(QLatin1String(type), QLatin1String(operation));
            const auto rate = kernel.number(metric + QStringLiteral(".per_cycle_elapsed"));
            if (const auto count = kernel.number(metric))
                flops = flops.value_or(0) + *count * factor;
            else if (rate && cycles)
                flops = flops.value_or(0) + *rate * *cycles * factor;
        }
    };
    add("f");
    add("d");
    add("h");
    return flops;
}

std::optional<double> matrixFlops(const KernelCounters &kernel) {
    // "HMMA.16816.F32.BF16": 16 by 8 by 16, a warp. A product of 2048 by 2048 by 3072 on an H200 came to
    // exactly its operations (2026-11-28).
    static const std::map<QString, double> shapes{{QStringLiteral("884"), 8 * 8 * 4},
                                                  {QStringLiteral("1684"), 16 * 8 * 4},
                                                  {QStringLiteral("1688"), 16 * 8 * 8},
                                                  {QStringLiteral("16816"), 16 * 8 * 16}};
    static const QRegularExpression product(QStringLiteral("(?:^|\\s)([A-Z]*MMA)((?:\\.[A-Za-z0-9_]+)*)"));
    double flops = 0;
    std::map<QString, double> executed;
    for (const InstructionCounters &instruction : kernel.instructions) {
        const QRegularExpressionMatch match = product.match(instruction.text);
        const double times = instruction.value(QStringLiteral("executed"));
        if (!match.hasMatch() || times <= 0)
            continue;
        const QString name = match.captured(1);
        const QStringList words = match.captured(2).split(QLatin1Char('.'), Qt::SkipEmptyParts);
        const auto shape = words.isEmpty() ? shapes.end() : shapes.find(words.front());
        const bool isKnown = shape != shapes.end() &&
                             (name == QLatin1String("DMMA") ||
                              // Volta's is a step of a quarter of a warp.
                              (name == QLatin1String("HMMA") && shape->first != QLatin1String("884")));
        if (!isKnown)
            return std::nullopt;
        executed[name] += times;
        flops += 2 * shape->second * times;
    }
    for (const auto &[opcode, times] : kernel.opcodes)
        if (opcode.endsWith(QLatin1String("MMA")) && times > 0 &&
            std::abs(executed[opcode] - times) > 1e-6 * times)
            return std::nullopt;
    return executed.empty() ? std::nullopt : std::optional(flops);
}

} // namespace warpwright
