// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/attention/attention_factors.h"

#include "agent/playbook/codegen/anchor_text.h"
#include "agent/playbook/codegen/cuda/attention/templates/attention.h"
#include "agent/playbook/codegen/cuda/attention/templates/attention_groups.h"
#include "agent/playbook/codegen/cuda/matmul/group_product_text.h"

namespace warpwright {
namespace {

/// Floats: their two parts, or rounded.
QString ofFloats(const QString &text, AttentionFactors factors) {
    const bool isExact = factors == AttentionFactors::Floats;
    return filled(text,
                  {{"split", isExact ? QStringLiteral("            Parts rows[TILES][4];\n"
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

QString groupHelpers(int columns, ElementType type) {
    QString text = attentionPair + attentionGroupPlaces + barrierInstructions + QStringLiteral("@copies@") +
                   groupProductInstructions + attentionGroupBoxes;
    for (const int keys : {64, 128})
        text += filled(attentionGroupMultiply,
                       {{"keys", QString::number(keys)},
                        {"pieces", QString::number(keys / 8)},
                        {"multiply", groupProductText({keys, type, false, false, true})}});
    return text + filled(attentionGroupMultiplyTurned,
                         {{"columns", QString::number(columns)},
                          {"multiply", groupProductText({columns, type, true, true, true})}});
}

} // namespace

QString attentionText(AttentionFactors factors) {
    return factors == AttentionFactors::Groups
               ? attentionOpening + attentionGroupKernel + attentionSoftmax + attentionGroupResults +
                     attentionStores + attentionGroupLaunch + attentionLauncher
               : attentionOpening + attentionKernel + attentionSoftmax + attentionNextTile + attentionStores +
                     attentionLaunch + attentionLauncher;
}

QString attentionPitches(AttentionFactors factors) {
    if (factors == AttentionFactors::Groups)
        return attentionGroupPitches;
    return filled(attentionPitchesText,
                  {{"gap", factors == AttentionFactors::Shorts ? QStringLiteral("8") : QStringLiteral("4")}});
}

QString attentionHelpers(AttentionFactors factors, int columns, ElementType type) {
    switch (factors) {
    case AttentionFactors::Groups:
        return groupHelpers(columns, type);
    case AttentionFactors::Shorts:
        return attentionPair + attentionShortMultiply;
    case AttentionFactors::Tf32:
        return attentionFloatMultiply + attentionTf32Rounding;
    case AttentionFactors::Floats:
        break;
    }
    return attentionFloatMultiply + attentionFloatParts;
}

QString attentionScores(AttentionFactors factors) {
    return factors == AttentionFactors::Shorts ? attentionShortScores
                                               : ofFloats(attentionFloatScores, factors);
}

QString attentionResults(AttentionFactors factors) {
    return factors == AttentionFactors::Shorts ? attentionShortResults
                                               : ofFloats(attentionFloatResults, factors);
}

} // namespace warpwright
