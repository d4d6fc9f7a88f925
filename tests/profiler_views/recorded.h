// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/measured_figures.h"

/// An evaluation as `wright check` wrote it, by its name in tests/data/evaluations.
warpwright::Evaluation recorded(const QString &name);
