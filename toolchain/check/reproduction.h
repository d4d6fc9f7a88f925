// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/evaluation.h"
#include "toolchain/evaluation/judge_sections.h"
#include "toolchain/workspace/candidate_texts.h"

namespace warpwright {

/// An evaluation and the text it is of, found again: reference, candidate and task.json, byte for byte.
struct Artefact {
    Evaluation evaluation;
    CandidateTexts texts;
    QString foundIn; ///< "iteration 7", "the workspace"
};

/// `file`: a stored document. Its text is looked for by its hash in the history beside the document, then in
/// the workspace around it. An evaluation without times, or whose text is nowhere any more, is an error.
[[nodiscard]] Result<Artefact> findArtefact(const QString &file);
/// Writes the text into an empty folder, as a workspace.
[[nodiscard]] Result<void> layOut(const Artefact &artefact, const QString &folder);

/// One speed-up, measured twice.
struct Reproduced {
    QString name; ///< "sameClass", "eager", "compile"
    SpeedUp before;
    SpeedUp again;
    double difference = 0; ///< again / before - 1
    double allowed = 0;    ///< the greater of 1 % and both half intervals together, relative
    bool agrees = false;
};
/// The speed-ups that both have, one an arm, in the lane that the headline of `before` is from; the first is
/// the headline where it was measured against the same arm.
[[nodiscard]] std::vector<Reproduced> compareTimes(const Evaluation &before, const Evaluation &again);

/// What was different about the machine: "torch 2.11.0 before, 2.12.1 now". Empty: nothing that is known.
[[nodiscard]] QStringList otherConditions(const Evaluation &before, const Evaluation &again);

/// Whether all agree, with the same verdict. Empty: it could not be measured again.
[[nodiscard]] std::optional<bool> isReproduced(const Evaluation &before, const Evaluation &again);

/// warpwright.reproduction/1
[[nodiscard]] OrderedJson reproductionDocument(const Artefact &artefact, const Evaluation &again);

} // namespace warpwright
