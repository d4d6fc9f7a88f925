// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/attention/attention_mma.h"

#include "agent/playbook/codegen/cuda/attention/templates/attention.h"
#include "agent/playbook/codegen/cuda/attention/templates/attention_sm90.h"
#include "agent/playbook/codegen/cuda/matmul/wgmma_instructions.h"
#include "agent/playbook/codegen/template_fill.h"

namespace warpwright {
namespace {

/// Fills in a text for floats: split into two parts, or rounded.
QString ofFloats(const QString &text, AttentionMma mma) {
    const bool isExact = mma == AttentionMma::SplitFloat;
    return fillTemplate(
        text, {{"split", isExact ? QStringLiteral("            SplitTf32 fragmentA[TILES][4];\n"
                                                  "#pragma unroll\n"
                                                  "            for (int t = 0; t < TILES; ++t)\n"
                                                  "#pragma unroll\n"
                                                  "                for (int part = 0; part < 4; ++part)\n"
                                                  "                    fragmentA[t][part] = "
                                                  "splitTf32(queries[t][kStep][part]);\n")
                                 : QString()},
               {"rows", isExact ? QStringLiteral("fragmentA[t]") : QStringLiteral("queries[t][kStep]")},
               {"factor", isExact ? QStringLiteral("SplitTf32") : QStringLiteral("unsigned")},
               {"made", isExact ? QStringLiteral("splitTf32") : QStringLiteral("roundToTf32")}});
}

QString wgmmaHelpers(int columns, ElementType type) {
    QString text = attentionPackPair + attentionSm90Swizzle + mbarrierInstructions +
                   QStringLiteral("@copies@") + wgmmaInstructions + attentionSm90Descriptor;
    for (const int keys : {64, 128})
        text += fillTemplate(attentionSm90Wgmma, {{"keys", QString::number(keys)},
                                                  {"pieces", QString::number(keys / 8)},
                                                  {"multiply", wgmmaText({keys, type, false, false, true})}});
    return text + fillTemplate(attentionSm90WgmmaFromRegisters,
                               {{"columns", QString::number(columns)},
                                {"multiply", wgmmaText({columns, type, true, true, true})}});
}

} // namespace

QString attentionText(AttentionMma mma) {
    return mma == AttentionMma::Wgmma
               ? attentionOpening + attentionSm90Kernel + attentionSoftmax + attentionSm90Results +
                     attentionEpilogue + attentionSm90Launch + attentionLauncher
               : attentionOpening + attentionKernel + attentionSoftmax + attentionTileEnd +
                     attentionEpilogue + attentionLaunch + attentionLauncher;
}

QString attentionPitches(AttentionMma mma) {
    if (mma == AttentionMma::Wgmma)
        return attentionSm90Pitches;
    return fillTemplate(attentionPitchesText,
                        {{"gap", mma == AttentionMma::Mma16 ? QStringLiteral("8") : QStringLiteral("4")}});
}

QString attentionHelpers(AttentionMma mma, int columns, ElementType type) {
    switch (mma) {
    case AttentionMma::Wgmma:
        return wgmmaHelpers(columns, type);
    case AttentionMma::Mma16:
        return attentionPackPair + attentionMma16;
    case AttentionMma::Tf32:
        return attentionMmaTf32 + attentionTf32Rounding;
    case AttentionMma::SplitFloat:
        break;
    }
    return attentionMmaTf32 + attentionTf32Splitting;
}

QString attentionScores(AttentionMma mma) {
    return mma == AttentionMma::Mma16 ? attentionScores16 : ofFloats(attentionScoresTf32, mma);
}

QString attentionResults(AttentionMma mma) {
    return mma == AttentionMma::Mma16 ? attentionResults16 : ofFloats(attentionResultsTf32, mma);
}

} // namespace warpwright
