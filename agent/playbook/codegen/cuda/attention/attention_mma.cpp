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
        text, {{"split", isExact ? QStringLiteral("            Parts rows[TILES][4];\n"
                                                  "#pragma unroll\n"
                                                  "            for (int t = 0; t < TILES; ++t)\n"
                                                  "#pragma unroll\n"
                                                  "                for (int part = 0; part < 4; ++part)\n"
                                                  "                    rows[t][part] = "
                                                  "partsOf(queries[t][step][part]);\n")
                                 : QString()},
               {"rows", isExact ? QStringLiteral("rows[t]") : QStringLiteral("queries[t][step]")},
               {"factor", isExact ? QStringLiteral("Parts") : QStringLiteral("unsigned")},
               {"made", isExact ? QStringLiteral("partsOf") : QStringLiteral("rounded")}});
}

QString wgmmaHelpers(int columns, ElementType type) {
    QString text = attentionPair + attentionGroupPlaces + barrierInstructions + QStringLiteral("@copies@") +
                   groupProductInstructions + attentionGroupBoxes;
    for (const int keys : {64, 128})
        text +=
            fillTemplate(attentionGroupMultiply, {{"keys", QString::number(keys)},
                                                  {"pieces", QString::number(keys / 8)},
                                                  {"multiply", wgmmaText({keys, type, false, false, true})}});
    return text + fillTemplate(attentionGroupMultiplyTurned,
                               {{"columns", QString::number(columns)},
                                {"multiply", wgmmaText({columns, type, true, true, true})}});
}

} // namespace

QString attentionText(AttentionMma mma) {
    return mma == AttentionMma::Wgmma
               ? attentionOpening + attentionGroupKernel + attentionSoftmax + attentionGroupResults +
                     attentionStores + attentionGroupLaunch + attentionLauncher
               : attentionOpening + attentionKernel + attentionSoftmax + attentionNextTile + attentionStores +
                     attentionLaunch + attentionLauncher;
}

QString attentionPitches(AttentionMma mma) {
    if (mma == AttentionMma::Wgmma)
        return attentionGroupPitches;
    return fillTemplate(attentionPitchesText,
                        {{"gap", mma == AttentionMma::Mma16 ? QStringLiteral("8") : QStringLiteral("4")}});
}

QString attentionHelpers(AttentionMma mma, int columns, ElementType type) {
    switch (mma) {
    case AttentionMma::Wgmma:
        return wgmmaHelpers(columns, type);
    case AttentionMma::Mma16:
        return attentionPair + attentionShortMultiply;
    case AttentionMma::Tf32:
        return attentionFloatMultiply + attentionTf32Rounding;
    case AttentionMma::SplitFloat:
        break;
    }
    return attentionFloatMultiply + attentionFloatParts;
}

QString attentionScores(AttentionMma mma) {
    return mma == AttentionMma::Mma16 ? attentionShortScores : ofFloats(attentionFloatScores, mma);
}

QString attentionResults(AttentionMma mma) {
    return mma == AttentionMma::Mma16 ? attentionShortResults : ofFloats(attentionFloatResults, mma);
}

} // namespace warpwright
