// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/attention/attention_header.h"

#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/schedule/attention_loops.h"
#include "agent/playbook/schedule/attention_space.h"

#include <algorithm>

namespace warpwright {

QString attentionHead(const Kernel &kernel, const KernelNames &names, AttentionMma mma, bool hidesTiles) {
    const AttentionLoops loops(kernel);
    QString text = kernelHeadComment(
        kernel, names,
        QStringLiteral("Attention, with its scores on chip. As kernels of their own the two products and "
                       "the softmax would write all scores and read them again, %1 MB each time; here a "
                       "tile of them lives in registers between its two products.")
            .arg(static_cast<double>(loops.batches) * static_cast<double>(loops.rows) *
                     static_cast<double>(loops.keys) * 4 / 1e6,
                 0, 'f', 0));
    QStringList points = {
        QStringLiteral("A softmax can be computed as its keys come by: keep the largest score so far and "
                       "the sum of exponentials against it; where a larger one comes, shrink what was "
                       "summed by the difference.")};
    points << (mma == AttentionMma::Mma16 || mma == AttentionMma::Wgmma
                   ? QStringLiteral("The matrix units multiply 16 bits and add in float. Weights are "
                                    "rounded to 16 bits for the second product, sums never.")
               : mma == AttentionMma::Tf32
                   ? QStringLiteral("The matrix units multiply floats in TF32, rounded to 10 bits of "
                                    "mantissa, and add in float: a change of precision, so the report "
                                    "compares with TF32 baselines.")
                   : QStringLiteral("The matrix units multiply floats of 10 bits of mantissa: of two parts "
                                    "each, three products make the product of two floats."));
    if (mma == AttentionMma::Wgmma)
        points << QStringLiteral(
            "Four warps multiply 64 queries at once (wgmma), by keys and values that the "
            "units read from shared memory themselves. The copy engine (TMA) brings these, "
            "16 bytes of a row crosswise: else those of eight rows would come from the same "
            "banks. So threads are left to the softmax, which takes as long as the products "
            "do; several blocks on a multiprocessor take turns with both. For GPUs of compute "
            "capability 9.0.");
    else
        points << QStringLiteral(
            "A warp's queries stay in registers; each key and value that is fetched from "
            "shared memory serves all of them, and each that comes from memory serves "
            "all warps of the block, while the tile before it is being used.");
    if (hidesTiles)
        points << QStringLiteral(
            "Tiles that the mask hides from all queries of a block are not read at all.");
    for (qsizetype i = 0; i < points.size(); ++i)
        text += wrapped(points[i], QStringLiteral("//   %1. ").arg(i + 1), QStringLiteral("//      "));
    return text;
}

QString attentionIncludes(const Kernel &kernel, AttentionMma mma) {
    const bool isWgmma = mma == AttentionMma::Wgmma;
    QString text = isWgmma ? QStringLiteral("#include <cuda.h>\n") : QString();
    const auto uses = [&kernel](ElementType type) {
        return kernel.stores[0].type == type ||
               std::any_of(kernel.inputs.begin(), kernel.inputs.end(),
                           [type](const KernelInput &some) { return some.type == type; });
    };
    if (uses(ElementType::BFloat16))
        text += QLatin1String("#include <cuda_bf16.h>\n");
    if (uses(ElementType::Float16))
        text += QLatin1String("#include <cuda_fp16.h>\n");
    return text + (isWgmma ? QString() : QStringLiteral("#include <cuda_pipeline.h>\n")) +
           QLatin1String("#include <cuda_runtime.h>\n");
}

QString attentionConfigText(const Kernel &kernel, AttentionMma mma) {
    QStringList parts;
    const std::vector<AttentionTiling> tilings = attentionTilings(kernel, mma == AttentionMma::Wgmma);
    for (std::size_t i = 0; i < tilings.size(); ++i)
        parts << QStringLiteral("%1 -> %2 queries, %3 a warp, %4 keys at once")
                         .arg(i)
                         .arg(tilings[i].rows())
                         .arg(tilings[i].tiles * 16)
                         .arg(tilings[i].keys) +
                     (tilings[i].stages == 1 ? QStringLiteral(", in one place") : QString());
    return parts.join(QLatin1String(";\n// "));
}

} // namespace warpwright
