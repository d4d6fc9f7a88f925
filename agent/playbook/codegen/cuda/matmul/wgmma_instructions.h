// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/cuda/matmul/templates/wgmma.h"
#include "agent/playbook/ir/element_type.h"

#include <QString>

namespace warpwright {

struct Wgmma {
    int columns = 64; ///< of the second matrix
    ElementType type = ElementType::Float32;
    bool isFirstInRegisters = false; ///< four of each thread; else it is described, as the second one is
    bool isSecondTransposed = false; ///< its columns lie side by side: halves only
    bool isOfPieces = false;         ///< sums[columns / 8][4] instead of sums[columns / 2]
    bool isFirstTransposed = false;  ///< its rows lie side by side: halves only, and none in registers
};
/// Statement of wgmma: sums += first * second, or begun anew where goesOn is 0.
[[nodiscard]] QString wgmmaText(const Wgmma &matmul);

/// makeAnyway(): what is stored of a Pack, of one element or four, is made before a branch asks whether.
[[nodiscard]] QString makeAnywayText(ElementType type, int elements = 4);

/// A loop over what a thread finishes at once, `result.at[k]`. `statements`: of one.
[[nodiscard]] QString loopOverVector(const QString &statements, int indent,
                                     const QString &count = QStringLiteral("4"));
/// Four neighbours of a result that is finished, `result.at[k]`. `statements`: of one. Angles are few units
/// in the last place off with a short function, where they are no large ones: these are made anew.
[[nodiscard]] QString finishedVector(const QString &statements, int indent,
                                     const QString &count = QStringLiteral("4"));

} // namespace warpwright
