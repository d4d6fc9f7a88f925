// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>

class QPainter;
class QRect;

/// How hot a share of a whole is, drawn the same in editors, listings and tables: six steps of 12 %, the last
/// open, and the number always beside the colour.
namespace warpwright {

class Look;

inline constexpr int heatCellWidth = 42; ///< at 96 dpi

inline constexpr int heatSteps = 6;

/// 0 … 5 of a share of 1.
[[nodiscard]] int heatStep(double share);
/// "46 %"; of less than half a percent "<1 %".
[[nodiscard]] QString heatWord(double share);
/// "12 % to 24 %", of a legend.
[[nodiscard]] QString heatStepName(int step);
[[nodiscard]] QColor heatGround(const Look &look, int step);
[[nodiscard]] QColor heatInk(const Look &look, int step);
/// One cell with its number at the right. `isPast`: of another text; its colours are gone and its number is
/// faint, in a dotted frame.
void drawHeatCell(QPainter &painter, const Look &look, const QRect &cell, double share, bool isPast);

} // namespace warpwright
