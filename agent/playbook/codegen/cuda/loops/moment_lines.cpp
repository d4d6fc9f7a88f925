// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/moment_lines.h"

namespace warpwright {

QString combineMomentsLine(const QString &sum, const QString &squares) {
    return QStringLiteral("joinMoments<BLOCKS, THREADS>(%1, %2, center, part, %2Partials, ofBlocks);")
        .arg(sum, squares);
}

QString meanOfPartLine(const QString &type, const QString &sum) {
    return QStringLiteral("const %1 center = part > 0 ? %2 / part : 0;").arg(type, sum);
}

QStringList partOfRowLines(const QString &type, int width) {
    const QString vecs = width > 1 ? QStringLiteral(" * kWidth") : QString();
    return {QStringLiteral("__shared__ Moments<%1> ofBlocks[BLOCKS];").arg(type),
            QStringLiteral("// The number of the row's elements in this block."),
            QStringLiteral("constexpr int kPiece = THREADS%1;").arg(vecs),
            QStringLiteral("int part = 0;"),
            QStringLiteral("for (int c = blockIdx.x % BLOCKS * kPiece; c < kColumns; c += BLOCKS * kPiece)"),
            QStringLiteral("    part += c + kPiece < kColumns ? kPiece : kColumns - c;")};
}

} // namespace warpwright
