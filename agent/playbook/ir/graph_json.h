// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"
#include "toolchain/base/result.h"

#include <QByteArray>

namespace warpwright {

/// The graph that resources/playbook/read_reference.py has written. An error where this is no answer of the
/// reader: a fault of ours, not of the reference.
[[nodiscard]] Result<ReferenceGraph> readReferenceGraph(const QByteArray &json);

} // namespace warpwright
