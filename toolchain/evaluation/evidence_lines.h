// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/evaluation.h"

/// What was seen of a candidate beside its numbers, as lines with a place: so that a window lists them as it
/// lists what compilers say.
namespace warpwright {

/// `integrity.findings[]`: rule and evidence, an error each. What is no finding is passed over.
[[nodiscard]] std::vector<Diagnostic> findingLines(const OrderedJson &integrity);

/// A line for each tool, and one for each place where it found something: memcheck's are errors, the others'
/// warnings, as they are doubts. A section without tools gives none.
[[nodiscard]] std::vector<Diagnostic> sanitizerLines(const SanitizerSection &sanitizers);

} // namespace warpwright
