// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/moment_lines.h"

namespace warpwright {

QString combineMomentsLine(const QString &sum, const QString &squares) {
    return QStringLiteral(
               "combineMoments<BLOCKS, THREADS>(%1, %2, partMean, count, %2Partials, blockPartials);")
        .arg(sum, squares);
}

QString meanOfPartLine(const QString &type, const QString &sum) {
    return QStringLiteral("const %1 partMean = count > 0 ? %2 / count : 0;").arg(type, sum);
}

QStringList partOfRowLines(const QString &type, int width) {
    const QString vecs = width > 1 ? QStringLiteral(" * kWidth") : QString();
    return {QStringLiteral("__shared__ Moments<%1> blockPartials[BLOCKS];").arg(type),
            QStringLiteral("// The number of the row's elements in this block."),
            QStringLiteral("constexpr int kChunk = THREADS%1;").arg(vecs),
            QStringLiteral("int count = 0;"),
            QStringLiteral("for (int c = blockIdx.x % BLOCKS * kChunk; c < kColumns; c += BLOCKS * kChunk)"),
            QStringLiteral("    count += c + kChunk < kColumns ? kChunk : kColumns - c;")};
}

} // namespace warpwright
