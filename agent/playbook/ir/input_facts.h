// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"
#include "toolchain/base/json.h"

/// What the Python reader records of an input or a result besides its shape: needed by the writer of
/// model_new.py, not by the planner.
namespace warpwright {

void readInputFacts(GraphNode &input, const Json &json);
/// The tensor is complex, and the input is its view_as_real.
[[nodiscard]] bool isComplex(const GraphNode &input);
/// Of a buffer that is not in the state_dict: lines of Python that assign it to `made`; empty: unknown.
[[nodiscard]] QStringList initializerLines(const GraphNode &input);

[[nodiscard]] ResultShape complexResult(int output);
[[nodiscard]] bool isComplex(const ResultShape &result);

} // namespace warpwright
