// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/prediction.h"
#include "toolchain/candidate_texts.h"
#include "toolchain/iteration.h"

#include <QString>

#include <vector>

namespace warpwright {

/// A file that is to have another name; its lines may change as well.
struct RenamedFile {
    QString from; ///< relative to the workspace, a candidate's path: "kernels/a.cu"
    QString to;

    bool operator==(const RenamedFile &) const = default;
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

    bool operator==(const Proposal &) const = default;
};

} // namespace warpwright
