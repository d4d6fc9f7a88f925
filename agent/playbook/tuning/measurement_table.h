// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QDateTime>
#include <QString>

#include <map>
#include <optional>

namespace warpwright {

/// What a move once did: the time after it over the time before, both measured in one run.
struct MoveMeasurement {
    QString device;  ///< its name: "NVIDIA H200"
    QString kernels; ///< the class of the kernels that it changed: kernelClass()
    QString move;    ///< PlaybookMove::remembered()
    double ratio = 1;

    bool operator==(const MoveMeasurement &) const = default;
};

/// What a move did so far to kernels of one class on one device.
struct MoveExperience {
    double ratio = 1; ///< geometric mean
    int count = 0;

    bool operator==(const MoveExperience &) const = default;
};

/// What was measured of moves on this user's devices: later predictions use it. A value.
class MeasurementTable {
public:
    /// Never fails: without the file nothing was measured yet, and a line that cannot be read is skipped.
    /// `until`: as it was then; invalid: all of it. Lines of older versions, without a time, count always.
    static MeasurementTable load(const QString &file, const QDateTime &until = {});

    /// Ratios that are no positive number are left out.
    void add(const MoveMeasurement &measurement);
    [[nodiscard]] std::optional<MoveExperience> of(const QString &device, const QString &kernels,
                                                   const QString &move) const;
    /// Whether the last one of its device, class and move is exactly this.
    [[nodiscard]] bool isLast(const MoveMeasurement &measurement) const;
    bool operator==(const MeasurementTable &) const = default;

private:
    struct Sum {
        double last = 0;
        double logarithms = 0;
        int count = 0;
        bool operator==(const Sum &) const = default;
    };
    std::map<QString, Sum> m_sums; ///< by device, class and move
};

/// One more line at the end of the file, in one write; its folder is made. For the pool. An error names the
/// file and why.
[[nodiscard]] Result<void> appendMeasurement(const QString &file, const MoveMeasurement &measurement);

} // namespace warpwright
