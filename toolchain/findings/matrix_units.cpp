// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/findings/detectors.h"
#include "toolchain/inspect/opcode_class.h"

#include <algorithm>

namespace warpwright {
namespace {

/// Of the time that the tensor cores are active: below that they are not what to fix.
constexpr double busyUnit = 0.35;
/// What mma.sync reaches of wgmma's peak on Hopper.
constexpr double olderReaches = 0.62;

bool isMatrix(const ReadInstruction &one) {
    return one.kind == OpcodeClass::Tensor;
}

void olderInstruction(const FindingContext &context, const KernelEvidence &kernel,
                      std::vector<Finding> &found) {
    const int capability = context.computeCapability();
    // sm_90 has wgmma, sm_100 and sm_103 have tcgen05; the chips between and after have mma.sync alone.
    const bool hasNewer = capability == 90 || capability == 100 || capability == 103;
    const auto isOlder = [](const ReadInstruction &one) {
        return one.base == QLatin1String("HMMA") && (one.counts == nullptr || one.count("executed") > 0);
    };
    const auto at = std::find_if(kernel.code.begin(), kernel.code.end(), isOlder);
    const bool usesNewer =
        std::any_of(kernel.code.begin(), kernel.code.end(), [](const ReadInstruction &one) {
            return isMatrix(one) &&
                   (one.base.contains(QLatin1String("GMMA")) || one.base.startsWith(QLatin1String("UTC")));
        });
    if (!hasNewer || usesNewer || at == kernel.code.end())
        return;
    auto busy = kernel.share("sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_elapsed");
    if (!busy)
        busy = kernel.share("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed");
    if (!busy)
        busy = kernel.share("sm__inst_executed_pipe_tensor_op_hmma.avg.pct_of_peak_sustained_elapsed");
    const bool isLoop = std::any_of(kernel.code.begin(), kernel.code.end(),
                                    [&isOlder](const auto &one) { return isOlder(one) && one.isInLoop; });
    if (kernel.isCounted()
            ? !busy || *busy < busyUnit
            : !isLoop || !context.figures || context.figures->task.limit != QLatin1String("compute"))
        return;
    const int place =
        kernel.hasSamples() ? kernel.costliest(isOlder) : static_cast<int>(at - kernel.code.begin());
    Finding finding = findingAt(context, kernel, "older-matrix-instruction",
                                QStringLiteral("Tensor core instructions of an older GPU"), place);
    finding.isMeasured = kernel.isCounted();
    finding.evidence.push_back(
        {QStringLiteral("compute capability"), capability / 10.0, QString(), QStringLiteral("device")});
    const QString newer =
        capability == 90 ? QStringLiteral("wgmma (HGMMA)") : QStringLiteral("tcgen05 (UTCHMMA)");
    finding.message = QStringLiteral("The kernel multiplies with mma.sync (%1); only %2 reaches the full "
                                     "tensor core rate of this GPU.")
                          .arg(at->opcode, newer);
    finding.advice =
        QStringLiteral(
            "Multiply with %1 on operands that TMA copies into shared memory, as CUTLASS 3 and cuBLAS do.")
            .arg(newer);
    if (kernel.isCounted()) {
        finding.evidence.push_back({QStringLiteral("tensor cores active"), *busy * 100, QStringLiteral("%"),
                                    QStringLiteral("ncu: sm__pipe_tensor")});
        claim(finding, context, kernel, *busy * (1 - olderReaches),
              QStringLiteral("the tensor cores are active for %1 of the time; the older instruction reaches "
                             "about %2 of their rate")
                  .arg(shareText(*busy), shareText(olderReaches)));
    }
    found.push_back(std::move(finding));
}

void tf32(const FindingContext &context, const KernelEvidence &kernel, std::vector<Finding> &found) {
    if (!context.input.evaluation)
        return;
    const QStringList &allowed = context.input.evaluation->precisionAllowed;
    if (allowed.isEmpty() || std::any_of(allowed.begin(), allowed.end(),
                                         [](const QString &name) { return name != QLatin1String("FP32"); }))
        return;
    const auto at = std::find_if(kernel.code.begin(), kernel.code.end(), [](const ReadInstruction &one) {
        return isMatrix(one) && one.has("TF32") && (one.counts == nullptr || one.count("executed") > 0);
    });
    if (at == kernel.code.end())
        return;
    Finding finding = findingAt(context, kernel, "tf32", QStringLiteral("TF32 in an FP32 task"),
                                static_cast<int>(at - kernel.code.begin()));
    finding.evidence.push_back({QStringLiteral("TF32 tensor core instructions"),
                                static_cast<double>(std::count_if(kernel.code.begin(), kernel.code.end(),
                                                                  [](const ReadInstruction &one) {
                                                                      return isMatrix(one) && one.has("TF32");
                                                                  })),
                                QString(), QStringLiteral("SASS")});
    finding.message = QStringLiteral("The kernel multiplies in TF32 (%1: 10 bits of mantissa), but the task "
                                     "allows FP32 only: its speed is not an FP32 speed.")
                          .arg(at->opcode);
    finding.advice = QStringLiteral("Allow TF32 for the task where its precision suffices, or split each "
                                    "operand into two TF32 parts (3xTF32) to come near FP32.");
    found.push_back(std::move(finding));
}

} // namespace

std::vector<Finding> matrixFindings(const FindingContext &context) {
    std::vector<Finding> found;
    for (const KernelEvidence &kernel : context.kernels) {
        olderInstruction(context, kernel, found);
        tf32(context, kernel, found);
    }
    return found;
}

} // namespace warpwright
