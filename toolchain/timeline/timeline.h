// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <array>
#include <optional>
#include <vector>

/// When what of one call runs, on host and device: `warpwright.timeline/1` as values.
namespace warpwright {

/// Something with a start and an end. Times are microseconds from the start of its call.
struct TimelineEvent {
    enum class Kind {
        Kernel,
        Memcpy,
        Memset,
        Wait,     ///< a stream waits for another one
        Launch,   ///< the host's call that launches a kernel or a copy
        Graph,    ///< the host's call that launches a graph
        Sync,     ///< the host waits for the device
        Runtime,  ///< another call of CUDA's runtime or driver
        Operator, ///< of torch's, outermost ones
        Region    ///< a parallel region of a candidate for a CPU
    };

    Kind kind = Kind::Kernel;
    QString name;
    double startUs = 0;
    double durationUs = 0;
    std::optional<double> lowUs; ///< what the same step took in the quickest and the slowest traced call
    std::optional<double> highUs;
    std::optional<int> stream;
    std::optional<int> forStream; ///< of a wait
    qint64 correlation = 0;       ///< the same for a launch and what it launched; 0: none
    qint64 thread = 0;            ///< of the host
    qint64 graph = 0;             ///< of what a graph's replay runs; 0: it was launched by itself
    std::array<int, 3> grid{};
    std::array<int, 3> block{};
    std::optional<int> registers; ///< of one thread
    std::optional<double> sharedBytes;
    std::optional<double> bytes; ///< of a copy
    int threads = 0;             ///< of a parallel region
    double busyUs = 0;           ///< of its threads together
    double longestUs = 0;        ///< of the one that worked longest

    [[nodiscard]] double endUs() const { return startUs + durationUs; }
    [[nodiscard]] bool isOnDevice() const {
        return kind == Kind::Kernel || kind == Kind::Memcpy || kind == Kind::Memset;
    }
    bool operator==(const TimelineEvent &) const = default;
};

/// One traced call; of all but the one that is shown no more than this is kept.
struct TracedCall {
    double microseconds = 0;
    double overheadMicroseconds = 0; ///< the profiler's own work in it, as far as it tells
    int steps = 0;                   ///< kernels, copies and parallel regions

    bool operator==(const TracedCall &) const = default;
};

struct TimelineArm {
    QString name;      ///< "candidate", "eager", "compile"
    QString problem;   ///< why there is nothing; empty: there is
    QStringList notes; ///< what is not in it, in whole sentences
    std::vector<double> untracedMicroseconds;
    std::vector<TracedCall> calls;
    std::size_t shown = 0;             ///< the call whose events these are: the median one
    bool isSameEachTime = true;        ///< all calls had the same steps
    int eventsLeftOut = 0;             ///< beyond what is kept
    std::vector<TimelineEvent> events; ///< in the order of their starts

    /// The length of the call that is shown, from its start until the host has waited for its end.
    [[nodiscard]] double callMicroseconds() const;
    /// The median of those that nothing traced.
    [[nodiscard]] std::optional<double> untracedMedian() const;
    bool operator==(const TimelineArm &) const = default;
};

/// What was traced in one act.
struct Timeline {
    QString id; ///< sorts by time
    QDateTime at;
    QString program; ///< "wright 0.9.0"
    QString tool;    ///< "torch 2.11.0's profiler"

    QString workspace;
    QString textHash;   ///< of the candidate's text that ran
    int iteration = 0;  ///< 0: the text on disk
    QString evaluation; ///< id of the last check of the same text; empty: it was not checked

    bool isOnCpu = false;
    QString device; ///< "NVIDIA H200", "CPU"
    QString computeCapability;
    int multiprocessors = 0;
    int threads = 0; ///< of torch, on a CPU

    std::vector<TimelineArm> arms;
    QStringList problems; ///< in whole sentences

    [[nodiscard]] const TimelineArm *arm(const QString &name) const;
    bool operator==(const Timeline &) const = default;
};

inline constexpr auto timelineFormat = "warpwright.timeline/1";

[[nodiscard]] OrderedJson toJson(const Timeline &timeline);

/// Takes a document that somebody else may have written: what is missing or no number stays empty, and what
/// is no timeline is refused with the reason.
[[nodiscard]] Result<Timeline> timelineFromJson(const Json &document);

/// What referee/worker/trace_call.py writes: the same without who, when and of what, which is the caller's.
[[nodiscard]] Result<Timeline> timelineFromTrace(const Json &trace);

} // namespace warpwright
