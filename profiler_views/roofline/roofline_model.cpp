// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/roofline/roofline_model.h"

#include "profiler_views/value_role.h"
#include "toolchain/counters/kernel_figures.h"
#include "toolchain/figures.h"
#include "toolchain/kernel_name.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warpwright {
namespace {

constexpr std::size_t mostKernels = 6;

bool canStand(const RooflinePoint &point) {
    return std::isfinite(point.intensity()) && std::isfinite(point.flopsPerSecond()) &&
           point.intensity() > 0 && point.flopsPerSecond() > 0;
}

// The matrix units were at work: what the cores counted is not all.
bool usesMatrixUnits(const KernelCounters &kernel) {
    const auto isMatrix = [](const QString &opcode) {
        return opcode.endsWith(QLatin1String("MMA"));
    };
    return std::any_of(kernel.opcodes.begin(), kernel.opcodes.end(),
                       [&isMatrix](const auto &opcode) { return isMatrix(opcode.first); }) ||
           kernel.number("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active").value_or(0) > 0;
}

} // namespace

QString intensityText(double flopsPerByte) {
    return scaledText(flopsPerByte, QStringLiteral("FLOP/B"));
}

void RooflineModel::setInput(const RooflineInput &input) {
    beginResetModel();
    m_ceilings.clear();
    m_points.clear();
    m_remarks.clear();
    m_device = input.figures.device.name;
    m_isCpu = input.figures.device.kind == QLatin1String("cpu");
    addCeilings(input.figures);
    if (!m_ceilings.empty()) {
        addTask(input);
        if (input.counters)
            addKernels(*input.counters);
    }
    endResetModel();
}

void RooflineModel::addCeilings(const MeasuredFigures &figures) {
    const DeviceFigures &device = figures.device;
    const auto add = [this](const char *name, const std::optional<double> &perSecond, bool isMemory) {
        if (perSecond && std::isfinite(*perSecond) && *perSecond > 0)
            m_ceilings.push_back({QLatin1String(name), *perSecond, isMemory, isMemory});
    };
    add(m_isCpu ? "memory" : "DRAM", device.bytesPerSecond, true);
    add("FP32", device.fp32FlopsPerSecond, false);
    add("TF32", device.tf32FlopsPerSecond, false);
    add("FP16/BF16", device.bf16FlopsPerSecond, false);
    const QString &precision = figures.precision;
    const QString wanted =
        precision.startsWith(QLatin1String("TF32")) ? QStringLiteral("TF32")
        : precision.startsWith(QLatin1String("BF16")) || precision.startsWith(QLatin1String("FP16"))
            ? QStringLiteral("FP16/BF16")
            : QStringLiteral("FP32");
    const auto of = [this](const QString &name) {
        return std::find_if(m_ceilings.begin(), m_ceilings.end(),
                            [&name](const RooflineCeiling &ceiling) { return ceiling.name == name; });
    };
    auto found = of(wanted);
    if (found == m_ceilings.end())
        found = of(QStringLiteral("FP32"));
    if (found != m_ceilings.end())
        found->isOfTask = true;
}

// The task's bytes and operations are the same for every arm and iteration: they differ in time alone.
void RooflineModel::addTask(const RooflineInput &input) {
    const TaskFigures &task = input.figures.task;
    if (!task.flops || !task.bytes || *task.bytes <= 0) {
        m_remarks << QStringLiteral("The task's bytes and operations are not counted: it has no point.");
        return;
    }
    if (*task.flops <= 0) {
        m_remarks << QStringLiteral(
            "The task counts no floating-point operation: it has no place on a roofline.");
        return;
    }
    const QString basis = QStringLiteral("the whole task: bytes and operations counted from its tensors and "
                                         "operators, over the measured time");
    const auto add = [&](RooflinePoint::Kind kind, const QString &label, const QString &arm, int iteration,
                         double microseconds) {
        RooflinePoint point{kind, label, arm, iteration, *task.flops, *task.bytes, microseconds, basis};
        if (canStand(point))
            m_points.push_back(point);
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

void RooflineModel::addKernels(const Counters &counters) {
    std::vector<RooflinePoint> kernels;
    for (const KernelCounters &kernel : counters.kernels) {
        const QString label =
            QStringLiteral("%1, launch %2").arg(shortKernelName(kernel.name)).arg(kernel.launch);
        const std::optional<double> bytes = dramBytes(kernel);
        const std::optional<double> flops = coreFlops(kernel);
        const std::optional<double> microseconds = kernel.microseconds();
        if (!bytes || !flops || !microseconds) {
            if (m_remarks.size() < 6)
                m_remarks << QStringLiteral("%1: its bytes or operations were not collected.").arg(label);
            continue;
        }
        if (usesMatrixUnits(kernel)) {
            if (m_remarks.size() < 6)
                m_remarks << QStringLiteral(
                                 "%1 uses matrix units, whose operations no counter here tells: no point.")
                                 .arg(label);
            continue;
        }
        RooflinePoint point{
            RooflinePoint::Kind::Kernel,
            label,
            kernel.arm,
            0,
            *flops,
            *bytes,
            *microseconds,
            QStringLiteral(
                "counted by the hardware: bytes of DRAM, operations of the cores, time under the profiler")};
        if (canStand(point))
            kernels.push_back(point);
        else if (m_remarks.size() < 6)
            m_remarks << QStringLiteral("%1 does no floating-point operation, or moves no byte: no point.")
                             .arg(label);
    }
    // The longest ones: dozens of points say nothing.
    std::stable_sort(kernels.begin(), kernels.end(), [](const RooflinePoint &a, const RooflinePoint &b) {
        return a.microseconds > b.microseconds;
    });
    if (kernels.size() > mostKernels) {
        m_remarks << QStringLiteral("%1 shorter launches are left out.").arg(kernels.size() - mostKernels);
        kernels.resize(mostKernels);
    }
    m_points.insert(m_points.end(), kernels.begin(), kernels.end());
}

std::optional<double> RooflineModel::roofAt(double intensity) const {
    std::optional<double> roof;
    for (const RooflineCeiling &ceiling : m_ceilings) {
        if (!ceiling.isOfTask)
            continue;
        const double here = ceiling.isMemory ? ceiling.perSecond * intensity : ceiling.perSecond;
        roof = roof ? std::min(*roof, here) : here;
    }
    return roof;
}

QString RooflineModel::toolTipOf(std::size_t at) const {
    const RooflinePoint &point = m_points[at];
    QStringList lines{point.label};
    if (point.kind == RooflinePoint::Kind::Kernel)
        lines[0] += QStringLiteral(" (%1)").arg(point.arm);
    lines << QStringLiteral("%1 at %2")
                 .arg(scaledText(point.flopsPerSecond(), QStringLiteral("FLOP/s")),
                      intensityText(point.intensity()))
          << QStringLiteral("%1, %2 in %3")
                 .arg(scaledText(point.flops, QStringLiteral("FLOP")),
                      scaledText(point.bytes, QStringLiteral("B")), timeText(point.microseconds))
          << QStringLiteral("%1 of memory traffic")
                 .arg(scaledText(point.bytes / point.microseconds * 1e6, QStringLiteral("B/s")));
    if (const std::optional<double> roof = roofAt(point.intensity()))
        lines << QStringLiteral("%1 of the roof above it").arg(percentText(point.flopsPerSecond() / *roof));
    lines << point.basis;
    return lines.join(QLatin1Char('\n'));
}

QString RooflineModel::origin() const {
    QStringList parts;
    if (!m_device.isEmpty())
        parts << QStringLiteral("ceilings measured on %1 in the shown check").arg(m_device);
    const auto has = [this](bool isKernel) {
        return std::any_of(m_points.begin(), m_points.end(), [isKernel](const RooflinePoint &point) {
            return (point.kind == RooflinePoint::Kind::Kernel) == isKernel;
        });
    };
    if (has(false))
        parts << QStringLiteral("whole calls by counted bytes and operations of the task");
    if (has(true))
        parts << QStringLiteral("kernels by hardware counters");
    return parts.join(QStringLiteral("; "));
}

QString RooflineModel::summary() const {
    QStringList sentences;
    for (const RooflinePoint &point : m_points) {
        if (point.kind == RooflinePoint::Kind::Iteration)
            continue;
        const std::optional<double> roof = roofAt(point.intensity());
        sentences << QStringLiteral("%1: %2 at %3%4.")
                         .arg(point.label, scaledText(point.flopsPerSecond(), QStringLiteral("FLOP/s")),
                              intensityText(point.intensity()),
                              roof ? QStringLiteral(", %1 of its roof")
                                         .arg(percentText(point.flopsPerSecond() / *roof))
                                   : QString());
    }
    sentences << m_remarks;
    return sentences.join(QLatin1Char(' '));
}

int RooflineModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_ceilings.size() + m_points.size());
}

int RooflineModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RooflineModel::ceilingData(const RooflineCeiling &ceiling, int column, int role) const {
    switch (column) {
    case What:
        return QStringLiteral("ceiling");
    case Name:
        return ceiling.name;
    case Rate:
        if (role == ValueRole)
            return ceiling.perSecond;
        return scaledText(ceiling.perSecond,
                          ceiling.isMemory ? QStringLiteral("B/s") : QStringLiteral("FLOP/s"));
    case Basis:
        return QStringLiteral("best of several runs on this device");
    default:
        return {};
    }
}

QVariant RooflineModel::pointData(const RooflinePoint &point, int column, int role) const {
    const bool isValue = role == ValueRole;
    switch (column) {
    case What:
        return point.kind == RooflinePoint::Kind::Kernel ? QStringLiteral("kernel")
                                                         : QStringLiteral("whole call");
    case Name:
        return point.label;
    case Intensity:
        return isValue ? QVariant(point.intensity()) : QVariant(intensityText(point.intensity()));
    case Rate:
        return isValue ? QVariant(point.flopsPerSecond())
                       : QVariant(scaledText(point.flopsPerSecond(), QStringLiteral("FLOP/s")));
    case OfRoof: {
        const std::optional<double> roof = roofAt(point.intensity());
        if (!roof)
            return {};
        const double share = point.flopsPerSecond() / *roof;
        return isValue ? QVariant(share) : QVariant(percentText(share));
    }
    default:
        return point.basis;
    }
}

QVariant RooflineModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || (role != Qt::DisplayRole && role != ValueRole))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    return row < m_ceilings.size() ? ceilingData(m_ceilings[row], index.column(), role)
                                   : pointData(m_points[row - m_ceilings.size()], index.column(), role);
}

QVariant RooflineModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static constexpr std::array heads{"what", "name", "intensity", "rate", "of its roof", "basis"};
    static constexpr std::array names{"what",    "name", "flop_per_byte", "flop_per_s_or_byte_per_s",
                                      "of_roof", "basis"};
    if (role == ValueRole)
        return QLatin1String(names[static_cast<std::size_t>(section)]);
    return role == Qt::DisplayRole ? QVariant(QLatin1String(heads[static_cast<std::size_t>(section)]))
                                   : QVariant();
}

} // namespace warpwright
