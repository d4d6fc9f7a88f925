// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/prediction.h"
#include "toolchain/history/iteration.h"
#include "toolchain/workspace/candidate_texts.h"

#include <QString>

#include <optional>
#include <vector>

namespace warpwright {

/// A file that is to have another name; its lines may change as well.
struct RenamedFile {
    QString from; ///< relative to the workspace, a candidate's path: "kernels/a.cu"
    QString to;

    bool operator==(const RenamedFile &) const = default;
};

/// The place of a proposal in a series whose later steps rest on the earlier ones.
struct SeriesStep {
    int number = 0;              ///< from 1
    bool keepsUndecided = false; ///< verified, but the clock could not decide: the series goes on with it
    /// The first step, of those that were left out, without which this one does not fit; 0: it fits, or it is
    /// for another reason that it does not.
    int needs = 0;
    bool isNeededInPart = false; ///< that step was not left out whole: some of its hunks were rejected

    bool operator==(const SeriesStep &) const = default;
};

/// A change that an agent wants to make, as one text against another. Only a candidate's own files
/// (isCandidatePath) differ between the two; everything else in `base` stands in `proposed` as it is.
struct Proposal {
    QString id;            ///< unique in its run: "p7"
    int baseIteration = 0; ///< the iteration it was made from; 0: none
    Author author;
    QString title;  ///< one line, for lists and the iteration's note
    QString reason; ///< why, in Markdown
    QString move;   ///< of the playbook's moves, "vectorize-loads"; empty: none is named
    Prediction prediction;
    CandidateTexts base;     ///< what the agent read
    CandidateTexts proposed; ///< what it wants it to be
    std::vector<RenamedFile> renames;
    std::optional<SeriesStep> series; ///< empty: it stands alone

    bool operator==(const Proposal &) const = default;
};

} // namespace warpwright
