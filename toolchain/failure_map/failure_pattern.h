// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/failure_map/failure_map.h"
#include "toolchain/failure_map/found_pattern.h"

namespace warpwright {

/// "off-by-one": for documents and tests.
[[nodiscard]] QString patternId(FailurePattern::Kind kind);

/// All that hold, what says most about the cause first. Empty: no pattern.
[[nodiscard]] std::vector<FailurePattern> patternsOf(const OutputFailure &output);

/// Of each wrong result of an evaluation's `verify` a line: "output: every 32nd column. Every 32nd column
/// (31, 63, 95, …): …", or that there is no pattern. Empty: no result has a map.
[[nodiscard]] QStringList patternLines(const OrderedJson &verify);

/// An evaluation's `verify` with the patterns of each wrong result in its `patterns`, as the schema has them.
[[nodiscard]] OrderedJson withPatterns(OrderedJson verify);

/// The two axes along which what is wrong has the most form; the last two where none has. The same twice: the
/// result has one axis.
[[nodiscard]] std::pair<std::size_t, std::size_t> shownAxes(const OutputFailure &output);

} // namespace warpwright
