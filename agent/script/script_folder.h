// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/prediction.h"
#include "agent/review/unified_patch.h"
#include "toolchain/base/result.h"

#include <QString>

#include <map>
#include <vector>

namespace warpwright {

/// One step of a series of changes: `NN-name.patch`, or `NN-name/` with whole files. Beside it,
/// `NN-name.json` (or `NN-name/proposal.json`) with title, reason, move, prediction (with a part "cpu" or
/// "cuda" where another one is meant there), `undecided` ("keep": the series goes on with it where it is
/// verified and the clock cannot decide), of a lesson `taught`, and for a folder `deleted[]` and
/// `renamed[{from, to}]`. Without it a patch's header serves: its first line, `undecided: keep` in a line of
/// its own, and the rest.
struct ScriptStep {
    QString name; ///< "03-vectorize"
    QString title;
    QString reason;
    QString move;
    QString taught;        ///< what is said once it is decided: what there was to learn; empty: no lesson
    Prediction prediction; ///< where no part for the device stands
    std::map<QString, Prediction> predictions; ///< by kind of device: "cpu", "cuda"
    bool keepsUndecided = false;
    UnifiedPatch patch;           ///< of NN-name.patch
    CandidateTexts files;         ///< of NN-name/
    std::vector<QString> deleted; ///< of NN-name/
    std::vector<RenamedFile> renames;

    /// `kind`: of the device, as an evaluation has it; empty: nobody knows it yet.
    [[nodiscard]] const Prediction &expectedOn(const QString &kind) const;
    bool operator==(const ScriptStep &) const = default;
};

/// Sorted by name. A folder without a step, and a step that cannot be read, are errors that name the file.
[[nodiscard]] Result<std::vector<ScriptStep>> readScriptFolder(const QString &folder);

/// The text after this step on `texts`.
[[nodiscard]] Result<PatchedTexts> afterStep(const CandidateTexts &texts, const ScriptStep &step);

} // namespace warpwright
