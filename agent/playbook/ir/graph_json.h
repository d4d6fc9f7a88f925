// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"
#include "toolchain/base/result.h"

#include <QByteArray>

namespace warpwright {

/// Parses what resources/playbook/read_reference.py prints. An error means malformed output of that reader: a
/// bug of ours, not of the reference.
[[nodiscard]] Result<ReferenceGraph> readReferenceGraph(const QByteArray &json);

} // namespace warpwright
