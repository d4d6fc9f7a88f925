// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/comparison/state_comparison.h"

/// An evaluation of tests/data/evaluations under an id of its own.
warpwright::Evaluation checkedAs(const QString &name, const QString &id);
/// What Nsight Compute counted of softmax-rows on an H200: candidate, eager and compile.
warpwright::Counters armsCounters();

/// An iteration with the recorded check of softmax-rows and its counters.
warpwright::ComparedState iterationState(int number);
/// The baseline that was timed and counted beside it.
warpwright::ComparedState armState(const QString &arm, const warpwright::ComparedState &beside);

/// What the candidate of a recorded check took, in µs; its speed-ups stay as they were.
void setCandidateTime(warpwright::Evaluation &evaluation, double median, double low, double high);

/// What eager took in this check, so many times as long.
void slowEager(warpwright::Evaluation &evaluation, double factor);

/// Of this group and name, the first one; null: there is none. `kernel`: where it matters.
const warpwright::ComparisonRow *rowNamed(const warpwright::StateComparison &comparison,
                                          warpwright::ComparisonRow::Group group, const QString &name,
                                          const QString &kernel = {});
