// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"
#include "toolchain/base/verdict.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace warpwright {

/// One error that a sanitizer found in a kernel of the candidate.
struct SanitizerFinding {
    QString message; ///< "Invalid __global__ write of size 4 bytes: access to 0x… is out of bounds"
    QString kernel;  ///< demangled, without parameters; empty: not said
    QString file;    ///< relative to the workspace where it lies there; empty: not said
    int line = 0;    ///< 0: not said
    QString thread;  ///< "(3,0,0)"; empty: not said
    QString block;

    bool operator==(const SanitizerFinding &) const = default;
};

/// What one tool said of one forward of the candidate. `passed` only where the forward came to its end under
/// the tool and no error was found; whatever is less is `not-run` with its reason.
struct SanitizerOutcome {
    QString tool; ///< "memcheck", "racecheck", "initcheck"
    StageStatus status = StageStatus::NotRun;
    std::optional<double> seconds;       ///< empty: it was not started
    qint64 errors = 0;                   ///< in the candidate's own kernels, each access one
    qint64 leftOut = 0;                  ///< errors elsewhere, in libraries
    QString reason;                      ///< why it was not run; empty otherwise
    std::vector<SanitizerFinding> first; ///< of the errors, one a place, at most 20

    bool operator==(const SanitizerOutcome &) const = default;
};

/// The `sanitizers` part of a document. The times in it are for people who wait, never a verdict's.
struct SanitizerSection {
    StageStatus status = StageStatus::NotRun; ///< failed: one found errors; passed: all three passed
    QString reason;                           ///< why it is `not-run`
    QString sandbox; ///< around them, looser than the candidate's: "namespaces", "landlock", "none"; empty:
                     ///< none ran
    std::vector<SanitizerOutcome> tools;

    bool operator==(const SanitizerSection &) const = default;
    [[nodiscard]] const SanitizerOutcome *tool(const QString &name) const;
    /// Sets status and reason from the tools.
    void sumUp();
};

/// memcheck, racecheck, initcheck: the order in which they run.
[[nodiscard]] QStringList sanitizerNames();

/// All three not run, for this reason.
[[nodiscard]] SanitizerSection sanitizersNotRun(const QString &reason);

/// "softmax.cu:12", "softmax.cu", or nothing.
[[nodiscard]] QString placeText(const SanitizerFinding &finding);

/// What racecheck and initcheck found, as sentences that name kernel and line. Errors of memcheck are no
/// doubts: they settle the verdict.
[[nodiscard]] QStringList doubtsOf(const SanitizerSection &section);

/// The words for a verdict that memcheck settled; empty: it did not.
[[nodiscard]] QString memoryErrorText(const SanitizerSection &section);

[[nodiscard]] OrderedJson toJson(const SanitizerSection &section);
/// What is missing or misshapen stays empty: documents from before there were sanitizers are still good.
[[nodiscard]] SanitizerSection sanitizersFromJson(const OrderedJson &json);

} // namespace warpwright
