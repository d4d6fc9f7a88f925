// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/counters/roofline.h"

#include "toolchain/base/figures.h"
#include "toolchain/counters/kernel_figures.h"
#include "toolchain/evaluation/ceiling_doubt.h"
#include "toolchain/tool_output/kernel_name.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace warpwright {
namespace {

constexpr std::size_t mostKernels = 6;

bool canStand(const RooflinePoint &point) {
    return std::isfinite(point.intensity()) && std::isfinite(point.flopsPerSecond()) &&
           point.intensity() > 0 && point.flopsPerSecond() > 0;
}

// The tensor cores were at work: what the cores counted is not all. Their pipe is busy a little in kernels
// that have no such instruction, too (0.3 % on an H200): opcodes decide where they were collected.
bool usesMatrixUnits(const KernelCounters &kernel) {
    if (kernel.opcodes.empty())
        return kernel.number("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active").value_or(0) >
               1;
    return std::any_of(kernel.opcodes.begin(), kernel.opcodes.end(),
                       [](const auto &opcode) { return opcode.first.endsWith(QLatin1String("MMA")); });
}

void addCeilings(Roofline &roofline, const MeasuredFigures &figures) {
    const DeviceFigures &device = figures.device;
    const auto add = [&roofline](const char *name, const std::optional<double> &perSecond, bool isMemory,
                                 bool isOfTask = false) {
        if (perSecond && std::isfinite(*perSecond) && *perSecond > 0)
            roofline.ceilings.push_back({QLatin1String(name), *perSecond, isMemory, isOfTask});
    };
    add(device.kind == QLatin1String("cpu") ? "memory" : "DRAM", device.bytesPerSecond, true, true);
    add("L2", device.cacheBytesPerSecond, true);
    add("FP32", device.fp32FlopsPerSecond, false);
    add("TF32", device.tf32FlopsPerSecond, false);
    add("FP16/BF16", device.bf16FlopsPerSecond, false);
    add("FP64", device.fp64FlopsPerSecond, false);
    const QString &precision = figures.precision;
    const QString wanted =
        precision.startsWith(QLatin1String("TF32")) ? QStringLiteral("TF32")
        : precision.startsWith(QLatin1String("BF16")) || precision.startsWith(QLatin1String("FP16"))
            ? QStringLiteral("FP16/BF16")
        : precision.startsWith(QLatin1String("FP64")) ? QStringLiteral("FP64")
                                                      : QStringLiteral("FP32");
    const auto of = [&roofline](const QString &name) {
        return std::find_if(roofline.ceilings.begin(), roofline.ceilings.end(),
                            [&name](const RooflineCeiling &ceiling) { return ceiling.name == name; });
    };
    auto found = of(wanted);
    if (found == roofline.ceilings.end())
        found = of(QStringLiteral("FP32"));
    if (found != roofline.ceilings.end())
        found->isOfTask = true;
}

// The task's bytes and operations are the same for every arm and iteration: they differ in time alone.
void addTask(Roofline &roofline, const RooflineInput &input) {
    const TaskFigures &task = input.figures.task;
    if (!task.flops || !task.bytes || *task.bytes <= 0) {
        roofline.remarks << QStringLiteral(
            "The task's bytes and operations were not counted: it has no point.");
        return;
    }
    if (*task.flops <= 0) {
        roofline.remarks << QStringLiteral(
            "The task has no floating-point operations: it has no point on a roofline.");
        return;
    }
    const QString basis = QStringLiteral("the whole task: bytes and operations counted from its tensors and "
                                         "operators, over the measured time");
    const auto add = [&](RooflinePoint::Kind kind, const QString &label, const QString &arm, int iteration,
                         double microseconds) {
        RooflinePoint point{kind, label, arm, iteration, *task.flops, *task.bytes, microseconds, basis};
        if (canStand(point))
            roofline.points.push_back(point);
    };
    for (const ArmFigures &arm : input.figures.arms)
        if (!arm.isCandidate() && !arm.isTf32())
            add(RooflinePoint::Kind::Baseline, arm.label, arm.name, 0, arm.medianMicroseconds);
    for (const RooflineIteration &one : input.iterations)
        if (one.number != input.iteration)
            add(RooflinePoint::Kind::Iteration, QStringLiteral("iteration %1").arg(one.number),
                QStringLiteral("candidate"), one.number, one.microseconds);
    if (const ArmFigures *candidate = input.figures.candidate())
        add(RooflinePoint::Kind::Current,
            input.iteration > 0 ? QStringLiteral("iteration %1").arg(input.iteration)
                                : QStringLiteral("candidate"),
            QStringLiteral("candidate"), input.iteration, candidate->medianMicroseconds);
}

void addKernels(Roofline &roofline, const Counters &counters) {
    std::map<std::pair<QString, QString>, int> launches;
    for (const KernelCounters &kernel : counters.kernels)
        ++launches[{kernel.arm, kernel.name}];
    std::vector<RooflinePoint> kernels;
    for (const KernelCounters &kernel : counters.kernels) {
        const QString label =
            launches[{kernel.arm, kernel.name}] > 1
                ? QStringLiteral("%1, launch %2").arg(shortKernelName(kernel.name)).arg(kernel.launch + 1)
                : shortKernelName(kernel.name);
        const std::optional<double> bytes = dramBytes(kernel);
        const std::optional<double> flops = coreFlops(kernel);
        const std::optional<double> microseconds = kernel.microseconds();
        if (!bytes || !flops || !microseconds) {
            if (roofline.remarks.size() < 6)
                roofline.remarks
                    << QStringLiteral("%1: its bytes or operations were not collected.").arg(label);
            continue;
        }
        const bool usesMatrices = usesMatrixUnits(kernel);
        const std::optional<double> ofMatrices = usesMatrices ? matrixFlops(kernel) : std::nullopt;
        if (usesMatrices && !ofMatrices) {
            if (roofline.remarks.size() < 6)
                roofline.remarks
                    << QStringLiteral(
                           "%1 uses tensor cores, and their operations were not counted: no point.")
                           .arg(label);
            continue;
        }
        RooflinePoint point{
            RooflinePoint::Kind::Kernel,
            label,
            kernel.arm,
            0,
            *flops + ofMatrices.value_or(0),
            *bytes,
            *microseconds,
            ofMatrices
                ? QStringLiteral(
                      "counted by the hardware: DRAM bytes, operations of the CUDA cores and of the tensor "
                      "cores (how often each instruction ran, times its shape), time under the profiler")
                : QStringLiteral("counted by the hardware: DRAM bytes, operations of the CUDA cores, time "
                                 "under the profiler")};
        if (canStand(point))
            kernels.push_back(point);
        else if (roofline.remarks.size() < 6)
            roofline.remarks << QStringLiteral(
                                    "%1 executes no floating-point operation or moves no bytes: no point.")
                                    .arg(label);
    }
    // The longest ones: dozens of points say nothing.
    std::stable_sort(kernels.begin(), kernels.end(), [](const RooflinePoint &a, const RooflinePoint &b) {
        return a.microseconds > b.microseconds;
    });
    if (kernels.size() > mostKernels) {
        roofline.remarks
            << QStringLiteral("%1 shorter launches are left out.").arg(kernels.size() - mostKernels);
        kernels.resize(mostKernels);
    }
    roofline.points.insert(roofline.points.end(), kernels.begin(), kernels.end());
}

/// Nothing is faster than the device: whoever reads the chart is told which of both is wrong.
void doubtCeilings(Roofline &roofline, const MeasuredFigures &figures) {
    QStringList above;
    for (const RooflinePoint &point : roofline.points)
        if (roofline.isAboveRoof(point, figures))
            above << point.label;
    if (!above.isEmpty())
        roofline.remarks << QStringLiteral(
                                "The ceiling was measured too low in this check (a busy machine), or the "
                                "data stay in a cache: above it, by more than the interval, %1. A percentage "
                                "of this roof would mean nothing and is not shown.")
                                .arg(above.join(QStringLiteral(", ")));
}

} // namespace

QString intensityText(double flopsPerByte) {
    return scaledText(flopsPerByte, QStringLiteral("FLOP/B"));
}

Roofline rooflineOf(const RooflineInput &input) {
    Roofline roofline;
    addCeilings(roofline, input.figures);
    if (!roofline.ceilings.empty()) {
        addTask(roofline, input);
        if (input.counters)
            addKernels(roofline, *input.counters);
        doubtCeilings(roofline, input.figures);
    }
    return roofline;
}

std::optional<double> Roofline::roofAt(double intensity) const {
    std::optional<double> roof;
    for (const RooflineCeiling &ceiling : ceilings) {
        if (!ceiling.isOfTask)
            continue;
        const double here = ceiling.isMemory ? ceiling.perSecond * intensity : ceiling.perSecond;
        roof = roof ? std::min(*roof, here) : here;
    }
    return roof;
}

bool Roofline::isAboveRoof(const RooflinePoint &point, const MeasuredFigures &figures) const {
    const std::optional<double> roof = roofAt(point.intensity());
    const bool isCurrent = point.kind == RooflinePoint::Kind::Current;
    if (!roof || (!isCurrent && point.kind != RooflinePoint::Kind::Baseline))
        return false; // the others are not of this check, or under a profiler
    const ArmFigures *arm = isCurrent ? figures.candidate() : figures.arm(point.arm);
    return arm != nullptr && arm->highMicroseconds > 0 &&
           isCeilingTooLow(point.flops / arm->highMicroseconds * 1e6 / *roof);
}

} // namespace warpwright
