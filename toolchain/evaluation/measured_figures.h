// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/figures.h"
#include "toolchain/evaluation/evaluation.h"
#include "toolchain/evaluation/judge_sections.h"

namespace warpwright {

/// One arm's time of a call.
struct ArmFigures {
    QString name;  ///< as in the document: "eagerTf32"
    QString label; ///< for people: "eager TF32"
    double medianMicroseconds = 0;
    double lowMicroseconds = 0; ///< 95 % interval
    double highMicroseconds = 0;
    std::optional<int> samples;
    std::optional<int> callsPerSample;
    bool isLive = false; ///< false: stored earlier, times the drift
    std::optional<double> drift;
    bool isDerived = false; ///< no time of it was kept: the candidate's, times the speed-up that was kept
    QStringList flags;
    QString precision; ///< its class; empty: not said

    bool operator==(const ArmFigures &) const = default;
    [[nodiscard]] bool isCandidate() const { return name == QLatin1String("candidate"); }
    [[nodiscard]] bool isTf32() const { return name.endsWith(QLatin1String("Tf32")); }
    [[nodiscard]] bool isCompiled() const { return name.startsWith(QLatin1String("compile")); }
    /// "stored earlier, × 0.87 for the drift of the live arm", or how it is derived; empty for a live one.
    [[nodiscard]] QString storedText() const;
};

/// One batch of calls of one arm.
struct BlockFigures {
    int block = 0; ///< from 0
    QString arm;
    double microseconds = 0; ///< a call, mean of the batch
    std::optional<int> calls;
    std::optional<double> startSeconds;

    bool operator==(const BlockFigures &) const = default;
};

struct ClockReading {
    int block = 0;
    QString arm;
    double megahertz = 0;
    QString slowedBy; ///< "power cap"; empty: by nothing

    bool operator==(const ClockReading &) const = default;
};

struct DeviceFigures {
    QString kind; ///< "cpu", "cuda"; empty: none
    QString name;
    std::optional<int> index;
    QString architecture; ///< "sm_90a"
    std::optional<double> memoryBytes;
    std::optional<double> bytesPerSecond;      ///< measured ceiling of memory
    std::optional<double> cacheBytesPerSecond; ///< of a GPU's L2; of no document before 2026-11-29
    std::optional<double> fp32FlopsPerSecond;
    std::optional<double> tf32FlopsPerSecond;
    std::optional<double> bf16FlopsPerSecond;
    std::optional<double> fp64FlopsPerSecond; ///< of GPUs, and of no document before 2026-11-29

    bool operator==(const DeviceFigures &) const = default;
};

struct TaskFigures {
    QStringList inputs;  ///< "input[0] f32 [8192, 8192], 268 MB"
    QStringList outputs; ///< "i64 [8192], 65.5 kB"
    std::optional<double> parameters;
    std::optional<double> flops;
    std::optional<double> bytes;
    std::optional<double> intensity; ///< FLOP a byte
    QString limit;                   ///< "memory", "compute"; empty: not known
    QString method;                  ///< how it was counted

    bool operator==(const TaskFigures &) const = default;
};

struct WorstElement {
    QString output;
    QString index;                          ///< "[1248, 1129]"
    std::optional<double> expected, actual; ///< NaN and infinity are values
    std::optional<double> error, allowed;   ///< relative
    std::optional<int> round;

    bool operator==(const WorstElement &other) const;
    [[nodiscard]] std::optional<double> errorOverAllowed() const;
};

struct VerifyFigures {
    StageStatus status = StageStatus::NotRun;
    std::optional<double> seconds;
    int roundsRun = 0;
    int roundsPassed = 0;
    std::vector<WorstElement> worst;
    std::optional<double> elements; ///< of all outputs in the last round
    /// Of the round that is wrong, those that break the bound which decides. None where the judge did not
    /// count every result.
    std::optional<double> elementsAboveAllowed;
    std::optional<double> elementsOutsideWorkdirCriterion;
    StageStatus workdirCriterion = StageStatus::NotRun; ///< atol = rtol = 1e-2; looser, and decides nothing

    bool operator==(const VerifyFigures &) const = default;
};

/// All calls of a batch as one CUDA graph: what is left when the processor sets no pace.
struct GraphFigures {
    StageStatus status = StageStatus::NotRun;
    QString reason;               ///< why there are no times
    std::vector<ArmFigures> arms; ///< that could be captured
    std::optional<SpeedUp> eager, compile, sameClass;

    bool operator==(const GraphFigures &) const = default;
};

/// Other values of a candidate's `CONFIG…` attributes, tried in its own process: a hint, and no measurement
/// of any text.
struct SweepFigures {
    StageStatus status = StageStatus::NotRun; ///< passed: all that it names were tried
    QString reason;                           ///< why it ended before
    /// By attribute, the microseconds of a call with each value; empty: not told.
    std::map<QString, std::vector<std::optional<double>>> tried;
    std::map<QString, int> best; ///< by attribute, where another value than the text's won
    std::optional<double> ratio; ///< its time over the text's

    bool operator==(const SweepFigures &) const = default;
};

/// Whether the certify tier calls the speed-up certain.
struct CertificateFigures {
    StageStatus status = StageStatus::NotRun;
    QString lane;   ///< whose number is certain: "calls", "graph"
    QString reason; ///< why it is not, or not call by call
    int processes = 0;
    std::optional<SpeedUp> sameAgain; ///< of that lane: a baseline against itself, which should be 1

    [[nodiscard]] bool isOfGraph() const {
        return status == StageStatus::Passed && lane == QLatin1String("graph");
    }
    bool operator==(const CertificateFigures &) const = default;
};

/// Every number of one evaluation, typed, ready to be shown: tables and charts take them from here and from
/// nowhere else. What the document does not say is empty, never a zero.
struct MeasuredFigures {
    QString id;        ///< of the evaluation
    QString workspace; ///< its name
    Verdict verdict = Verdict::NotRun;
    QString reason; ///< why it is no pass: "no CUDA device: not run"
    Tier tier = Tier::Quick;
    StageStatus profile = StageStatus::NotRun;
    std::optional<double> profileSeconds;
    std::vector<ArmFigures> arms; ///< eager, eager strict, eager TF32, compile, ..., candidate
    TimeScale times;              ///< how all of these times are written
    std::optional<SpeedUp> eager, compile, sameClass;
    GraphFigures graph;
    SweepFigures sweep;
    CertificateFigures certificate;
    std::optional<double> speedOfLightMicroseconds;
    std::optional<int> reward;
    QString precision; ///< the candidate's measured class
    QString sandbox;   ///< what stood around the candidate: "namespaces", "landlock", "none"; empty: not said
    QStringList sandboxLacks;
    DeviceFigures device;
    TaskFigures task;
    VerifyFigures verify;
    std::vector<BlockFigures> blocks; ///< of the live arms, in the order of measuring
    std::vector<ClockReading> clock;  ///< empty: cannot be read on this device
    std::vector<KernelResources> kernels;
    QString method;
    QStringList doubts;
    QStringList findings; ///< "rule: evidence"
    SanitizerSection sanitizers;
    QDateTime startedAt;

    bool operator==(const MeasuredFigures &) const = default;

    [[nodiscard]] const ArmFigures *arm(const QString &name) const;
    [[nodiscard]] const ArmFigures *candidate() const { return arm(QStringLiteral("candidate")); }
    /// Speed-up of the candidate over an arm with its interval, where the document says it.
    [[nodiscard]] std::optional<SpeedUp> speedUpOver(const QString &arm) const;
    /// What of the speed of light the candidate reaches, with its interval: value, low, high of 1.
    struct Share {
        double value = 0, low = 0, high = 0;
        bool operator==(const Share &) const = default;
    };
    [[nodiscard]] std::optional<Share> shareOfLight() const;
};

[[nodiscard]] MeasuredFigures measuredFigures(const Evaluation &evaluation);

/// The smaller of both: over the better of eager and torch.compile as they come. Empty without either.
[[nodiscard]] std::optional<SpeedUp> overTheBetter(const std::optional<SpeedUp> &eager,
                                                   const std::optional<SpeedUp> &compile);
/// Surely slower than the better of both by more than 20 %: whoever made it has to say so.
[[nodiscard]] bool isMuchSlower(const std::optional<SpeedUp> &overBetter);

/// The same evaluation with the times of one CUDA graph in place of those call by call; without any where
/// that was not measured.
[[nodiscard]] MeasuredFigures asGraph(const MeasuredFigures &figures);

/// What a headline may show: asGraph() where only the graph's times are certified, else the figures
/// themselves.
[[nodiscard]] MeasuredFigures headlineFigures(const MeasuredFigures &figures);

/// "eager TF32" for "eagerTf32"; a name that we do not know stays.
[[nodiscard]] QString armLabel(const QString &name);

} // namespace warpwright
