// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

/// tests/data/playbook/<name>-torch-2.11.json: what the reader said of a sample or a task.
QByteArray recordedGraphText(const QString &name);
warpwright::ReferenceGraph recordedGraph(const QString &name);
