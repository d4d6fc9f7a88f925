// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/cuda/matmul/templates/wgmma.h"
#include "agent/playbook/ir/element_type.h"

#include <QString>

namespace warpwright {

struct Wgmma {
    int columns = 64; ///< of the second matrix
    ElementType type = ElementType::Float32;
    bool isFirstInRegisters = false; ///< four per thread; else by descriptor, as the second one always is
    bool isSecondTransposed = false; ///< MN-major: 16-bit types only
    bool hasTiledSums = false;       ///< sums[columns / 8][4] instead of sums[columns / 2]
    bool isFirstTransposed = false;  ///< MN-major: 16-bit types only, and not from registers
};
/// The wgmma statement: sums += a * b, or sums = a * b where scaleD is 0.
[[nodiscard]] QString wgmmaText(const Wgmma &matmul);

/// materialize(): forces a Vec of one element or four to be computed before the branch that guards its store.
[[nodiscard]] QString makeAnywayText(ElementType type, int elements = 4);

/// An unrolled loop over a thread's result vector, `result.at[k]`. `statements`: for one element.
[[nodiscard]] QString loopOverVector(const QString &statements, int indent,
                                     const QString &count = QStringLiteral("4"));
/// The same with fast sine and cosine (a few ulp off) for small angles; vectors with a large angle are
/// recomputed with full range reduction.
[[nodiscard]] QString finishedVector(const QString &statements, int indent,
                                     const QString &count = QStringLiteral("4"));

} // namespace warpwright
