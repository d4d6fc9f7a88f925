// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace warpwright {

/// A number that a finding rests on, and where it was read.
struct FindingEvidence {
    QString what; ///< "sectors of global loads, of those that would do"
    double value = 0;
    QString unit;   ///< "×", "%", "byte", "µs"; empty: a count
    QString source; ///< "ncu: memory_l2_theoretical_sectors_global", "ptxas", "SASS", "source", "clock"

    bool operator==(const FindingEvidence &) const = default;
};

/// A hint about speed: what keeps one kernel, or the whole call, from being faster. Never part of a verdict.
struct Finding {
    QString id;      ///< "spill", "uncoalesced", ...: the detector's, stable
    QString title;   ///< "Spills to local memory"
    QString kernel;  ///< short name; empty: of the whole call
    QString file;    ///< below the workspace; empty: no line is known
    int line = 0;    ///< from 1; 0: none
    QString message; ///< one or two sentences with the numbers
    QString advice;  ///< what to try
    std::vector<FindingEvidence> evidence;
    /// The most that fixing it could save of a call, in microseconds, from its share of the time; none:
    /// nothing here tells. Those of one kernel count one after the other: each speaks of the time that the
    /// larger ones leave, so that they never sum above the kernel's time; nor all of a call above what it
    /// takes longer than the task's speed of light, where that was measured (speed_of_light.h).
    std::optional<double> gainMicroseconds;
    /// The same as a share of the call's time, 0 … 1.
    std::optional<double> gainShare;
    QString gainBasis;       ///< how it was estimated: "81 % of the kernel's samples wait for …"
    bool isMeasured = false; ///< counters or clock say so; else text and compiler alone
    bool isNote = false;     ///< nothing to fix: it answers a worry, and its gain is 0

    bool operator==(const Finding &) const = default;
};

/// What all detectors say of one text.
struct Findings {
    std::vector<Finding> list;              ///< the largest gain first; notes last
    QStringList missing;                    ///< what was not there to look at, and why, in whole sentences
    std::optional<double> callMicroseconds; ///< what the shares are of
    QString callSource; ///< "median of the check's profile", "sum of the profiled kernels"
    QStringList looked; ///< at what: "source", "ptxas", "SASS", "counters", "clock", "timeline"

    bool operator==(const Findings &) const = default;
};

} // namespace warpwright
