// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"
#include "toolchain/base/result.h"

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

/// Hardware counters that Nsight Compute collected: `warpwright.counters/1` as values.
namespace warpwright {

/// One metric of one launch, as the tool names it, in the tool's base unit ("ns", "byte", "byte/s", "%").
struct CounterValue {
    std::optional<double> number; ///< none: text, or the tool has no value ("n/a", NaN)
    QString text;                 ///< of a metric that is text
    QString unit;

    bool operator==(const CounterValue &) const = default;
};

/// What one of the tool's own rules says of a launch.
struct CounterRule {
    enum class Kind { None, Note, Optimization, Warning, Error };

    QString id;      ///< "UncoalescedGlobalAccess"
    QString name;    ///< "Uncoalesced Global Accesses"
    QString section; ///< "SourceCounters"
    QString title;   ///< may be empty
    QString message; ///< without the tool's marks of links
    Kind kind = Kind::Note;
    std::optional<double> speedupPercent; ///< the tool's estimate; estimates overlap and add up to anything
    bool isGlobal = false;                ///< of the kernel's whole time; else of the part that it speaks of

    bool operator==(const CounterRule &) const = default;
};

/// What was counted at one instruction. `values` has what the report has of: "samples", "samplesNotIssued"
/// (of warp stalls), "stall.long_scoreboard" and its like (samples), "executed" (warps), "threads"
/// (predicated on), "sectors" and "sectorsIdeal" (32 bytes of global memory, at L2), "wavefronts" and
/// "wavefrontsIdeal" (of shared memory), "localSectors". What is zero is left out.
struct InstructionCounters {
    quint64 address = 0; ///< in bytes from the kernel's start
    QString text;        ///< SASS; empty: the report has none
    QString file;        ///< as the compiler was given it; empty: no line information
    int line = 0;        ///< from 1; 0: none
    std::map<QString, double> values;

    [[nodiscard]] double value(const QString &name) const;
    bool operator==(const InstructionCounters &) const = default;
};

/// One launch of one kernel.
struct KernelCounters {
    QString arm;      ///< "candidate", "eager", "compile"; "imported" of a report from elsewhere
    QString name;     ///< demangled, with its parameters
    QString function; ///< without them
    QString mangled;
    int launch = 0; ///< number in its arm, from 0, in the order of the launches
    std::array<int, 3> grid{};
    std::array<int, 3> block{};
    /// One of many launches: what our views read of it, and no rules, instructions and opcodes.
    bool isBrief = false;
    std::map<QString, CounterValue> metrics; ///< by the tool's name
    std::map<QString, double> opcodes;       ///< "LDG": executed, in warps
    std::vector<CounterRule> rules;
    std::vector<InstructionCounters> instructions; ///< in the order of their addresses

    /// Nothing: not collected, or no number.
    [[nodiscard]] std::optional<double> number(const QString &metric) const;
    [[nodiscard]] std::optional<double> number(const char *metric) const {
        return number(QString::fromLatin1(metric));
    }
    /// gpu__time_duration.sum; under the profiler, with its clocks and a flushed cache: no time of a check.
    [[nodiscard]] std::optional<double> microseconds() const;
    [[nodiscard]] int threadsPerBlock() const { return block[0] * block[1] * block[2]; }
    bool operator==(const KernelCounters &) const = default;
};

/// Of launches that are not kept: how long each took, under the profiler.
struct LeftOutLaunches {
    QString name; ///< of their kernel, as in KernelCounters
    QString function;
    std::vector<double> microseconds; ///< in the order of the launches

    bool operator==(const LeftOutLaunches &) const = default;
};

/// What was collected in one act, or read from one report.
struct Counters {
    QString id; ///< sorts by time; of an imported report, too
    QDateTime at;
    QString program; ///< "wright 0.9.0"

    QString report; ///< name of the .ncu-rep beside the document, or the path it was read from
    qint64 reportBytes = 0;
    QString tool;              ///< "Nsight Compute 2025.3.1.0"; what made the report
    QString readBy;            ///< "ncu-report 2026.3.1", "ncu --import 2025.3.1"
    QString set;               ///< "basic", "full", or the sections that were named; empty: unknown
    double collectSeconds = 0; ///< of the profiled process; 0: imported

    /// Of a report from elsewhere that was attached to a text (attached_report.h): its file's name, and when
    /// that file was written. Which text ran is then somebody's word. Empty: collected here.
    QString importedFrom;
    QDateTime importedFileTime;

    QString workspace;  ///< empty: imported, of no workspace
    QString textHash;   ///< of the candidate's text that ran; see textHashOf
    int iteration = 0;  ///< 0: the text on disk
    QString evaluation; ///< id of the last check of the same text; empty: it was not checked

    QString device;            ///< "NVIDIA H200"
    QString computeCapability; ///< "9.0"
    int multiprocessors = 0;

    std::vector<KernelCounters> kernels;  ///< arm by arm, in the order of the launches
    std::map<QString, QString> sources;   ///< texts that the report carries, by the file's name in it
    bool hasSelectedMetrics = false;      ///< some launches are brief: `problems` says which
    int launchesLeftOut = 0;              ///< beyond what is kept
    std::vector<LeftOutLaunches> leftOut; ///< what is known of them, by kernel
    /// False: the candidate's call launches more than was counted, and their times sum to no call's.
    bool isWholeCall = true;
    QStringList problems; ///< what could not be collected or read, in whole sentences

    [[nodiscard]] std::vector<const KernelCounters *> kernelsOf(const QString &arm) const;
    /// Names of the arms, in their order.
    [[nodiscard]] QStringList arms() const;
    bool operator==(const Counters &) const = default;
};

/// Thousands of values: handed from thread to thread without a copy, and destroyed in the pool, so that no
/// window waits for it. Null: there are none.
using SharedCounters = std::shared_ptr<const Counters>;
[[nodiscard]] SharedCounters makeShared(Counters counters);

inline constexpr auto countersFormat = "warpwright.counters/1";

[[nodiscard]] OrderedJson toJson(const Counters &counters);

/// Takes a document that somebody else may have written: what is missing stays empty, and what is no
/// document of counters is refused with the reason.
[[nodiscard]] Result<Counters> countersFromJson(const Json &document);

} // namespace warpwright
