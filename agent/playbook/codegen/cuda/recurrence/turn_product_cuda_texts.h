// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

/// Texts of a turn's product (turn_product_cuda), with «@names@» to be filled in.
namespace warpwright {

extern const QString turnProductText;    ///< the whole file
extern const QString turnMultiplyFloats; ///< the matrix units' instruction, and rounding for it
extern const QString turnMultiplyHalves;

} // namespace warpwright
