// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/evaluation_message.h"
#include "toolchain/base/json.h"
#include "toolchain/base/stages.h"
#include "toolchain/base/verdict.h"
#include "toolchain/evaluation/sanitizers.h"
#include "toolchain/tool_output/compiler_diagnostics.h"
#include "toolchain/tool_output/ptxas_report.h"
#include "toolchain/workspace/exercised_files.h"

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace warpwright {

/// The `compile` part. What the tools printed is not in it (it may be long): it lies beside the document,
/// `<id>.log`.
struct CompileSection {
    StageStatus status = StageStatus::NotRun;
    std::optional<double> seconds; ///< empty when not run
    QString architecture;          ///< sm_90a, or the host's; empty when not run
    int objects = 0;
    int cachedObjects = 0;
    QString sandbox; ///< around the compilers: "namespaces", "landlock", "none"; empty: none ran
    std::vector<Diagnostic> diagnostics;
    std::vector<KernelResources> kernels;

    bool operator==(const CompileSection &) const = default;
};

/// What compile, verify and profile said of exactly one text on exactly one device:
/// `warpwright.evaluation/1`. Invariants that the JSON Schema checks as well: `reward` follows from the
/// verdict and the arms; a `pass` has passed compile (or has nothing to compile) and passed verify; any other
/// verdict has a message. The parts the judge owns stay JSON, brought into the document's order by
/// judge_sections.h: the format is additive, and a field we do not know yet must survive reading and writing.
struct Evaluation {
    QString id; ///< sorts by time
    QDateTime startedAt;
    std::optional<double> seconds; ///< whole act, wall clock
    Verdict verdict = Verdict::NotRun;
    std::optional<int> reward;
    EvaluationMessage message;
    Tier tier = Tier::Quick;
    LastStage lastStage = LastStage::Profile;
    QStringList precisionAllowed;
    QString precisionMeasured; ///< empty: not measured
    OrderedJson workspace;
    OrderedJson task;
    OrderedJson device;
    OrderedJson environment;
    QString inputsHash; ///< empty when the inputs could not all be known
    CompileSection compile;
    OrderedJson verify;
    OrderedJson profile;
    SanitizerSection sanitizers;
    OrderedJson integrity;
    QStringList doubts;
    ExercisedFiles exercised; ///< none: of an old document, or nothing is compiled
    std::optional<Unexercised> unexercised;

    bool operator==(const Evaluation &) const = default;
};

/// An evaluation of nothing yet: id and time of now, every part present and `not-run`.
Evaluation newEvaluation();

/// Where a document of this id begins to differ from every other: UTC time to the millisecond and six random
/// digits.
QString newEvaluationId(const QDateTime &startedAt);

} // namespace warpwright
