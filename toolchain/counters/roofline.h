// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"
#include "toolchain/evaluation/measured_figures.h"

#include <memory>

/// Work against its bytes, under what the device did at best: the numbers of every roofline that is drawn.
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
    QString label; ///< "iteration 7", "eager", "strided", "strided, launch 3" of several
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
struct Roofline {
    std::vector<RooflineCeiling> ceilings; ///< none: nothing else is there either
    std::vector<RooflinePoint> points;
    QStringList remarks; ///< what could not be placed, in sentences

    /// Operations a second that the roof allows at this intensity, by the task's ceiling; none: no ceiling.
    [[nodiscard]] std::optional<double> roofAt(double intensity) const;
    /// Further than an arm's interval reaches: then the ceiling was measured too low, and a share of it tells
    /// nothing. `figures`: of the check whose ceilings these are.
    [[nodiscard]] bool isAboveRoof(const RooflinePoint &point, const MeasuredFigures &figures) const;
    bool operator==(const Roofline &) const = default;
};

[[nodiscard]] Roofline rooflineOf(const RooflineInput &input);

/// "0.42 FLOP/B"
[[nodiscard]] QString intensityText(double flopsPerByte);

} // namespace warpwright
