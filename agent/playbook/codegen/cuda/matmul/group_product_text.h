// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/element_type.h"

#include <QString>

namespace warpwright {

/// Functions of CUDA's text that are one instruction each, of compute capability 9.0: barriers in shared
/// memory, and with them the copy engine (TMA) for boxes of a matrix.
extern const QString barrierInstructions;
/// After it: for a matrix, and for one that each of several batches has.
extern const QString copyBoxInstruction;
extern const QString copyBatchInstruction;
/// The same around what four warps multiply together (wgmma).
extern const QString groupProductInstructions;
/// After them, for halves that lie along a second matrix's columns.
extern const QString turnedBoxInstruction;

/// How such a kernel's threads part: a ring's barriers are made, and of the first group of 128 threads one
/// goes on to copy, in brackets that the text behind has to close; the others have a `group` from 0 on.
extern const QString copyingGroupBegins;
/// Lines that get `encode`, which describes memory to the copy engine.
extern const QString tensorMapEncoder;

struct GroupProduct {
    int columns = 64; ///< of the second matrix
    ElementType type = ElementType::Float32;
    bool isFirstInRegisters = false; ///< four of each thread; else it is described, as the second one is
    bool isSecondTurned = false;     ///< its columns lie side by side: halves only
    bool isOfPieces = false;         ///< sums[columns / 8][4] instead of sums[columns / 2]
    bool isFirstTurned = false;      ///< its rows lie side by side: halves only, and none in registers
};
/// Statement of wgmma: sums += first * second, or begun anew where goesOn is 0.
[[nodiscard]] QString groupProductText(const GroupProduct &product);

/// makeAnyway(): what is stored of a Pack, of one element or four, is made before a branch asks whether.
[[nodiscard]] QString makeAnywayText(ElementType type, int elements = 4);

/// A loop over what a thread finishes at once, `result.at[k]`. `statements`: of one.
[[nodiscard]] QString loopOverPack(const QString &statements, int indent,
                                   const QString &count = QStringLiteral("4"));
/// Four neighbours of a result that is finished, `result.at[k]`. `statements`: of one. Angles are few units
/// in the last place off with a short function, where they are no large ones: these are made anew.
[[nodiscard]] QString finishedPack(const QString &statements, int indent,
                                   const QString &count = QStringLiteral("4"));

} // namespace warpwright
