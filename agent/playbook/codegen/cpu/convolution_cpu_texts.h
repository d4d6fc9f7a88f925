// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

/// The texts of CPU convolutions, with «@marks@» for convolution_cpu to fill in. They see space as three
/// dimensions: those that are missing have size 1.
namespace warpwright {

[[nodiscard]] QString gatheredText();   ///< The launcher of columns and BLAS.
[[nodiscard]] QString gatherText();     ///< Its function that fills a row of the columns.
[[nodiscard]] QString multiplyText();   ///< Its product.
[[nodiscard]] QString phasesText();     ///< The launcher of a transposed one.
[[nodiscard]] QString accumulateText(); ///< Its product.
[[nodiscard]] QString accumulateBlas(); ///< The same by BLAS, before the loops that do without.
[[nodiscard]] QString depthwiseText();  ///< The launcher of a depthwise one.

} // namespace warpwright
