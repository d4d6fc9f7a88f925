// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"
#include "toolchain/base/verdict.h"
#include "toolchain/workspace/candidate_texts.h"
#include "toolchain/workspace/workspace.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace warpwright {

/// A file of C++ or CUDA and what a device did with it. Where the CPU twin of a kernel is measured, the
/// kernel itself is compiled and no more, and a pass says nothing of it.
struct ExercisedFile {
    QString file;                    ///< relative to the workspace
    SourceKind as = SourceKind::Cpp; ///< of a header: as what those compile it that include it
    bool isCompiled = false;
    bool isRun = false; ///< it is in what was loaded and called; of a plan: it will be
    QString hash;       ///< SHA-256 of its bytes, in hexadecimal digits

    bool operator==(const ExercisedFile &) const = default;
};
using ExercisedFiles = std::vector<ExercisedFile>;

/// A change none of whose files ran: what was measured of it is a repeat of its parent.
struct Unexercised {
    ExercisedFiles files;                      ///< that differ from the parent's
    int iteration = 0;                         ///< the parent; 0: it is none of the history
    QString evaluation;                        ///< of the parent, its id
    bool isKept = false;                       ///< verdict and reward are the parent's
    Verdict measuredVerdict = Verdict::NotRun; ///< what was found here
    std::optional<int> measuredReward;

    bool operator==(const Unexercised &) const = default;
};

[[nodiscard]] QString sourceKindName(SourceKind kind); ///< "cuda", "twin", "cpp"

[[nodiscard]] OrderedJson toJson(const ExercisedFile &file);
[[nodiscard]] OrderedJson toJson(const ExercisedFiles &files);
[[nodiscard]] OrderedJson toJson(const Unexercised &unexercised);
/// What is no list of such files is none.
[[nodiscard]] ExercisedFiles exercisedFilesFromJson(const OrderedJson &json);
/// Empty where no file is named.
[[nodiscard]] std::optional<Unexercised> unexercisedFromJson(const OrderedJson &json);

/// Those that did not run.
[[nodiscard]] ExercisedFiles notRun(const ExercisedFiles &files);
/// Of all that ran, and of all that may have: what the plan did not know (Python, the reference, the task's
/// settings) counts as run.
[[nodiscard]] QString ranHashOf(CandidateTexts texts, const ExercisedFiles &files);

/// "CPU twin ran; kernels/*.cu compiled, not run". Empty where nothing was measured, or where all
/// kernels ran.
[[nodiscard]] QString twinSentence(const ExercisedFiles &files);
/// "kernels/softmax_rows.cu was compiled, not run": of files that were not run.
[[nodiscard]] QString notRunSentence(const ExercisedFiles &files);

} // namespace warpwright
