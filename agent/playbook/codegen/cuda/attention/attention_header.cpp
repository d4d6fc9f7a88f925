// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/attention/attention_header.h"

#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/schedule/attention_loops.h"
#include "agent/playbook/schedule/attention_space.h"

#include <algorithm>

namespace warpwright {

namespace {

/// "16 MB", "36 KB", "480 bytes".
QString memoryText(double bytes) {
    return bytes >= 1e6   ? QStringLiteral("%1 MB").arg(bytes / 1e6, 0, 'f', 0)
           : bytes >= 1e3 ? QStringLiteral("%1 KB").arg(bytes / 1e3, 0, 'f', 0)
                          : QStringLiteral("%1 bytes").arg(bytes, 0, 'f', 0);
}

} // namespace

QString attentionHead(const Kernel &kernel, const KernelNames &names, AttentionMma mma, bool hidesTiles) {
    const AttentionLoops loops(kernel);
    QString text = kernelHeadComment(
        kernel, names,
        QStringLiteral("Fused attention, with its scores on chip. As separate kernels the two matmuls and "
                       "the softmax would write all scores and read them again, %1 each time; here a "
                       "tile of them stays in registers between its two matmuls.")
            .arg(memoryText(static_cast<double>(loops.batches) * static_cast<double>(loops.rows) *
                            static_cast<double>(loops.keys) * 4)));
    QStringList points = {
        QStringLiteral("The softmax is computed online, tile by tile: keep the largest score so far and "
                       "the sum of exponentials relative to it; when a larger one appears, rescale what "
                       "was summed.")};
    points << (mma == AttentionMma::Mma16 || mma == AttentionMma::Wgmma
                   ? QStringLiteral("The tensor cores multiply 16-bit types and add in float. Weights are "
                                    "rounded to 16 bits for the second matmul, sums never.")
               : mma == AttentionMma::Tf32
                   ? QStringLiteral("The tensor cores multiply floats in TF32, rounded to 10 bits of "
                                    "mantissa, and add in float: a change of precision, so the report "
                                    "compares with TF32 baselines.")
                   : QStringLiteral("The tensor cores multiply TF32, floats with 10 bits of mantissa: each "
                                    "float is split into two, and three of their products are added."));
    if (mma == AttentionMma::Wgmma)
        points << QStringLiteral(
            "A warpgroup (four warps) multiplies 64 queries at once (wgmma), by keys and values "
            "that the tensor cores read from shared memory themselves. The copy engine (TMA) "
            "loads these, swizzled by 16 bytes to avoid bank conflicts. So threads are free for "
            "the softmax, which takes as long as the matmuls; several blocks on an SM overlap "
            "both. For GPUs of compute capability 9.0.");
    else
        points << QStringLiteral(
            "A warp's queries stay in registers; each key and value that is loaded from shared "
            "memory is used for all of them, and each that is loaded from global memory for all "
            "warps of the block. The next tile is loaded while this one is used.");
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
        parts << QStringLiteral("%1 -> %2 queries, %3 a warp, %4 keys a tile")
                         .arg(i)
                         .arg(tilings[i].rows())
                         .arg(tilings[i].tiles * 16)
                         .arg(tilings[i].keys) +
                     (tilings[i].stages == 1 ? QStringLiteral(", one stage") : QString());
    return parts.join(QLatin1String(";\n// "));
}

} // namespace warpwright
