// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/proposal.h"
#include "toolchain/workspace/exercised_files.h"

#include <vector>

/// Which hunks of a proposal matter on the device at hand: those of files that run there. Of the others, a
/// kernel's on a CPU and its CPU twin's on a GPU, nothing that is measured tells.
namespace warpwright {

/// A hunk as the review counts them, and the file that it changes.
struct HunkPlace {
    int number = 0; ///< from 1
    QString file;   ///< its path in the base; of a new file its path in the proposal

    bool operator==(const HunkPlace &) const = default;
};

/// In the review's order.
[[nodiscard]] std::vector<HunkPlace> hunkPlaces(const Proposal &proposal);
/// The same from a trajectory's `proposal` event.
[[nodiscard]] std::vector<HunkPlace> hunkPlaces(const Json &proposalBody);

/// «Hunks 1 to 4 (kernels/a.cpp) run on this device. Hunks 5 to 8 (kernels/a.cu) are not run there: no number
/// tells of them.» `notRun`: the files that the last check did not run. Empty: all of them run, or nothing is
/// known.
[[nodiscard]] QString hunksThatRunWords(const std::vector<HunkPlace> &hunks, const ExercisedFiles &notRun);

} // namespace warpwright
