// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// The text of a product of ours, and its instructions: see own_product_cuda.cpp for what is filled in.
extern const QString ownProductText;
extern const QString ownProductMultiply; ///< after groupProductInstructions

} // namespace warpwright
