// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"
#include "toolchain/measured_figures.h"

#include <QAbstractTableModel>

#include <memory>

namespace warpwright {

/// What the device did at best: bytes or floating-point operations a second.
struct RooflineCeiling {
    QString name; ///< "DRAM", "FP32"
    double perSecond = 0;
    bool isMemory = false;
    bool isOfTask = false; ///< the one that the candidate's precision class is held against

    bool operator==(const RooflineCeiling &) const = default;
};

/// Something that did so many operations on so many bytes in so much time.
struct RooflinePoint {
    enum class Kind { Baseline, Iteration, Current, Kernel };

    Kind kind = Kind::Iteration;
    QString label; ///< "iteration 7", "eager", "strided, launch 1"
    QString arm;   ///< of a baseline or a kernel
    int iteration = 0;
    double flops = 0;
    double bytes = 0;
    double microseconds = 0;
    QString basis; ///< how flops, bytes and time were found

    [[nodiscard]] double intensity() const { return flops / bytes; }
    [[nodiscard]] double flopsPerSecond() const { return flops / microseconds * 1e6; }
    bool operator==(const RooflinePoint &) const = default;
};

/// One iteration's time of a call.
struct RooflineIteration {
    int number = 0;
    double microseconds = 0;

    bool operator==(const RooflineIteration &) const = default;
};

/// All that a roofline is made of.
struct RooflineInput {
    MeasuredFigures figures; ///< of the shown text: device, task, times
    int iteration = 0;       ///< that it is; 0: a text without a number
    std::vector<RooflineIteration> iterations;
    std::shared_ptr<const Counters> counters; ///< of the same text; null: none
};

/// Ceilings and points. The whole task is a point by its counted bytes and operations over the measured
/// time; a kernel by what the hardware counted. What has no place on it is named, with its reason.
class RooflineModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { What, Name, Intensity, Rate, OfRoof, Basis, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setInput(const RooflineInput &input);
    [[nodiscard]] const std::vector<RooflineCeiling> &ceilings() const { return m_ceilings; }
    [[nodiscard]] const std::vector<RooflinePoint> &points() const { return m_points; }
    /// What could not be placed, in sentences.
    [[nodiscard]] const QStringList &remarks() const { return m_remarks; }
    /// Operations a second that the roof allows at this intensity, by the task's ceiling; none: no ceiling.
    [[nodiscard]] std::optional<double> roofAt(double intensity) const;
    [[nodiscard]] QString toolTipOf(std::size_t point) const;
    /// What the points rest on, and on what device.
    [[nodiscard]] QString origin() const;
    [[nodiscard]] QString summary() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void addCeilings(const MeasuredFigures &figures);
    void addTask(const RooflineInput &input);
    void addKernels(const Counters &counters);
    [[nodiscard]] QVariant ceilingData(const RooflineCeiling &ceiling, int column, int role) const;
    [[nodiscard]] QVariant pointData(const RooflinePoint &point, int column, int role) const;

    std::vector<RooflineCeiling> m_ceilings;
    std::vector<RooflinePoint> m_points;
    QStringList m_remarks;
    QString m_device;
    bool m_isCpu = false;
};

/// "0.42 FLOP/B"
[[nodiscard]] QString intensityText(double flopsPerByte);

} // namespace warpwright
