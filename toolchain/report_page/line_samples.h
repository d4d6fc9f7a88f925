// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/candidate_texts.h"
#include "toolchain/counters/counters.h"

namespace warpwright {

/// What was sampled at one line, of all launches of the candidate's kernels.
struct LineSamples {
    double samples = 0;
    double share = 0; ///< of all samples, those without a line among them, 0 … 1
    QString topStall; ///< reason with the most samples; empty: none

    bool operator==(const LineSamples &) const = default;
};

struct SamplesByLine {
    std::map<QString, std::map<int, LineSamples>> files; ///< by the file's path in the workspace
    double all = 0;
    double elsewhere = 0; ///< in no line of the workspace's files: headers, or no line information
};

/// `counters` have to be of this very text: lines of another one mean other things.
[[nodiscard]] SamplesByLine samplesByLine(const Counters &counters, const CandidateTexts &texts);

} // namespace warpwright
