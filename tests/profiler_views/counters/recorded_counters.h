// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"

#include <memory>

/// What Nsight Compute counted of copy4, strided and banks on an H200: tests/data/counters.
std::shared_ptr<const warpwright::Counters> recordedCounters();
/// The same as an iteration with other numbers: those of `metric` times `factor`.
std::shared_ptr<const warpwright::Counters> countersTimes(double factor);
