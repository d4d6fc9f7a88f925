// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"
#include "toolchain/base/json.h"

/// What the reader says of a leaf, or of a result, beside its shape: whoever plans need not know it, and
/// whoever writes model_new.py does.
namespace warpwright {

void readInputFacts(GraphNode &input, const Json &json);
/// The tensor is one of complex numbers, and the leaf is its view as real.
[[nodiscard]] bool isComplex(const GraphNode &input);
/// Of a buffer that is not in the state_dict: lines of Python that make it as `made`; none: nobody knows how.
[[nodiscard]] QStringList linesThatMake(const GraphNode &input);

[[nodiscard]] ResultShape complexResult(int output);
[[nodiscard]] bool isComplex(const ResultShape &result);

} // namespace warpwright
