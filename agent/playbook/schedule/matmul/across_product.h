// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/fused_kernel.h"

namespace warpwright {

constexpr std::int64_t acrossTileColumns = 256;

/// Products of ours for each of a batch, in floats, whose second matrix and result lie along the columns: a
/// convolution of one tap of images by rows. The matrix units want floats along what is summed over; from
/// registers they take them as they come, so the columns are what is read into registers.
[[nodiscard]] bool isAcrossProduct(const FusedKernel &kernel);

/// Whether our kernel can be that: loops over a batch, rows, columns and what is summed over; what is read
/// beside lies along the columns, or is one for all of a row. `kernel`: the product with the reader's steps
/// and store.
[[nodiscard]] bool canBeAcrossProduct(const FusedKernel &kernel);

/// Tensors that are read beside the matrices in packs.
[[nodiscard]] std::int64_t packsBeside(const FusedKernel &kernel);

/// Rows of a tile, whose products each column in registers serves.
[[nodiscard]] int acrossTileRows(const FusedKernel &kernel);

} // namespace warpwright
