// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/ink.h"
#include "toolchain/evaluation/evaluation.h"

#include <QString>

namespace warpwright {

/// One evaluation as a person wants to read it: what ran, what came out with how much certainty, the verdict
/// last. The same text on a terminal and in a pipe; a terminal adds colour.
[[nodiscard]] QString reportText(const Evaluation &evaluation, const Terminal &terminal,
                                 const QString &storedAt);

/// The parts of it, each with its own heading; empty where there is nothing to say.
[[nodiscard]] QString stagesText(const Evaluation &evaluation, const Terminal &terminal);
[[nodiscard]] QString diagnosticsText(const Evaluation &evaluation, const Terminal &terminal);
[[nodiscard]] QString kernelsText(const Evaluation &evaluation, const Terminal &terminal);
[[nodiscard]] QString doubtsText(const Evaluation &evaluation, const Terminal &terminal);
[[nodiscard]] QString timesText(const Evaluation &evaluation, const Terminal &terminal);
/// What the judge saw that breaks a rule: evidence from the run, with its place where it has one.
[[nodiscard]] QString findingsText(const Evaluation &evaluation, const Terminal &terminal);
[[nodiscard]] QString verdictText(const Evaluation &evaluation, const Terminal &terminal);

} // namespace warpwright
