// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/element_type.h"

#include <QString>

namespace warpwright {

/// Functions of CUDA's text that are one instruction each: barriers in shared memory, the copy engine (TMA)
/// and what four warps multiply together (wgmma), of compute capability 9.0.
extern const QString groupProductInstructions;

/// Statement of wgmma with `columns` of the second matrix: sums[columns / 2] += first * second, or begun anew
/// where goesOn is 0. The matrices are described by `first` and `second`; or first is four registers with what
/// a thread has to have of it.
[[nodiscard]] QString groupProductText(int columns, ElementType type, bool isFirstInRegisters);

} // namespace warpwright
