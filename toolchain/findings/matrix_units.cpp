// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/figures.h"
#include "toolchain/findings/detectors.h"
#include "toolchain/opcode_class.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

/// FLOP a byte of the task's matrix products: below it memory sets the pace, with and without matrix units.
constexpr double leastIntensity = 30;
/// Of the call's time that FP32 units must take for the products, at the least.
constexpr double leastOfCall = 0.15;
/// The products' part that one kernel must compute, to be the one that is meant.
constexpr double leastOfProducts = 0.3;
/// What a good kernel reaches of a ceiling that LibTorch's own products were measured at.
constexpr double reachable = 0.6;
constexpr double leastGain = 0.10;
/// Of the time that the matrix unit is at work: below that it is not what to mend.
constexpr double busyUnit = 0.35;
/// What mma.sync reaches of wgmma's peak on Hopper.
constexpr double olderReaches = 0.62;

bool isMatrix(const ReadInstruction &one) {
    return one.kind == OpcodeClass::Tensor;
}

bool isScalarProduct(const ReadInstruction &one) {
    return one.base == QLatin1String("FFMA") || one.base == QLatin1String("FFMA2") ||
           (one.base == QLatin1String("HFMA2") && !one.operands.contains(QLatin1String("-RZ, RZ")));
}

bool anyMatrixInstruction(const FindingContext &context) {
    if (context.hasCounters)
        for (const KernelCounters &kernel : context.input.counters->kernels) {
            if (kernel.arm != QLatin1String("candidate") && kernel.arm != QLatin1String("imported"))
                continue;
            for (const auto &[opcode, count] : kernel.opcodes)
                if (count > 0 && opcodeClassOf(opcode) == OpcodeClass::Tensor)
                    return true;
        }
    return std::any_of(context.kernels.begin(), context.kernels.end(), [](const KernelEvidence &kernel) {
        return std::any_of(kernel.code.begin(), kernel.code.end(), isMatrix);
    });
}

double number(const OrderedJson &object, const char *key) {
    return object.is_object() && object.contains(key) && object[key].is_number() ? object[key].get<double>()
                                                                                 : 0;
}

void noMatrixUnit(const FindingContext &context, std::vector<Finding> &found) {
    if (!context.input.evaluation || !context.figures || !context.callMicroseconds ||
        anyMatrixInstruction(context))
        return;
    const QStringList &allowed = context.input.evaluation->precisionAllowed;
    const bool allowsHalf =
        allowed.contains(QLatin1String("BF16")) || allowed.contains(QLatin1String("FP16"));
    const double products = number(context.input.evaluation->task, "matrixFlops");
    const double bytes = context.figures->task.bytes.value_or(0);
    const auto &device = context.figures->device;
    const auto ceiling = allowsHalf                                ? device.bf16FlopsPerSecond
                         : allowed.contains(QLatin1String("TF32")) ? device.tf32FlopsPerSecond
                                                                   : std::nullopt;
    if (!ceiling || *ceiling <= 0 || !device.fp32FlopsPerSecond || products <= 0 || bytes <= 0 ||
        products / bytes < leastIntensity)
        return;
    const double call = *context.callMicroseconds;
    const double scalar = products / *device.fp32FlopsPerSecond * 1e6;
    if (scalar < leastOfCall * call)
        return;
    // The kernel that multiplies: by what it executes, else by what stands in its loops.
    const KernelEvidence *most = nullptr;
    double mostProducts = 0;
    for (const KernelEvidence &kernel : context.kernels) {
        double own = kernel.isCounted() ? 2 * 32 * kernel.launches * kernel.executed(isScalarProduct) : 0;
        if (kernel.isCounted() && own == 0) // no counts by instruction
            for (const auto &[opcode, count] : kernel.counters->opcodes)
                own += opcode.startsWith(QLatin1String("FFMA")) ? 2 * 32 * kernel.launches * count : 0;
        if (!kernel.isCounted())
            own = static_cast<double>(
                std::count_if(kernel.code.begin(), kernel.code.end(), [](const ReadInstruction &one) {
                    return isScalarProduct(one) && one.isInLoop;
                }));
        if (own > mostProducts) {
            most = &kernel;
            mostProducts = own;
        }
    }
    if (most == nullptr || (most->isCounted() && mostProducts < leastOfProducts * products))
        return;
    int place = most->hasSamples() ? most->costliest(isScalarProduct) : -1;
    for (std::size_t i = 0; place < 0 && i < most->code.size(); ++i)
        if (isScalarProduct(most->code[i]) && most->code[i].isInLoop)
            place = static_cast<int>(i);
    Finding finding =
        findingAt(context, *most, "no-matrix-unit", QStringLiteral("The matrix units stand still"), place);
    finding.isMeasured = most->isCounted();
    const QString kind = allowsHalf ? QStringLiteral("BF16 or FP16") : QStringLiteral("TF32");
    finding.evidence.push_back({QStringLiteral("FLOPs of the task's products"), products,
                                QStringLiteral("FLOP"), QStringLiteral("the judge's count")});
    finding.evidence.push_back({QStringLiteral("they take at least, on FP32 units"), scalar,
                                QStringLiteral("µs"), QStringLiteral("the judge's ceilings")});
    finding.evidence.push_back({QStringLiteral("they take at least, on matrix units"),
                                products / *ceiling * 1e6, QStringLiteral("µs"),
                                QStringLiteral("the judge's ceilings")});
    finding.message =
        QStringLiteral("The products (%1) are computed one by one: at the best %2 on FP32 units, where the "
                       "matrix units need %3 in %4, which this task allows.")
            .arg(scaledText(products, QStringLiteral("FLOP")), timeText(scalar),
                 timeText(products / *ceiling * 1e6), kind);
    finding.advice = QStringLiteral("Use the matrix units: wmma or mma.sync on any of them, wgmma on sm_90, "
                                    "with tiles that go through shared memory (CUTLASS has them ready).");
    const double fastest = std::max(products / *ceiling / reachable,
                                    device.bytesPerSecond ? bytes / *device.bytesPerSecond : 0) *
                           1e6;
    if (most->isCounted() && most->microseconds && *most->microseconds > 0) {
        const double share = 1 - fastest / *most->microseconds;
        if (share * *most->microseconds < leastGain * call)
            return;
        claim(finding, context, *most, share,
              QStringLiteral("the kernel's time less %1: the products at %2 of the matrix units' ceiling")
                  .arg(timeText(fastest), shareText(reachable)));
    } else {
        if (1 - fastest / call < leastGain)
            return;
        finding.gainMicroseconds = call - fastest;
        finding.gainShare = 1 - fastest / call;
        finding.gainBasis =
            QStringLiteral("the call's time less %1: the products at %2 of the matrix units' ceiling")
                .arg(timeText(fastest), shareText(reachable));
    }
    found.push_back(std::move(finding));
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
                                QStringLiteral("Matrix instructions of an older chip"), place);
    finding.isMeasured = kernel.isCounted();
    finding.evidence.push_back(
        {QStringLiteral("compute capability"), capability / 10.0, QString(), QStringLiteral("device")});
    const QString newer =
        capability == 90 ? QStringLiteral("wgmma (HGMMA)") : QStringLiteral("tcgen05 (UTCHMMA)");
    finding.message = QStringLiteral("The kernel multiplies by mma.sync (%1); this chip's full rate is "
                                     "reached by %2 only.")
                          .arg(at->opcode, newer);
    finding.advice = QStringLiteral("Multiply by %1, with operands in shared memory that TMA brings there; "
                                    "CUTLASS 3 and cuBLAS do.")
                         .arg(newer);
    if (kernel.isCounted()) {
        finding.evidence.push_back({QStringLiteral("the matrix unit is at work"), *busy * 100,
                                    QStringLiteral("%"), QStringLiteral("ncu: sm__pipe_tensor")});
        claim(finding, context, kernel, *busy * (1 - olderReaches),
              QStringLiteral("the matrix unit is at work for %1 of the time; the older form reaches about "
                             "%2 of its rate")
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
    Finding finding = findingAt(context, kernel, "tf32", QStringLiteral("TF32 in a task of FP32"),
                                static_cast<int>(at - kernel.code.begin()));
    finding.evidence.push_back({QStringLiteral("matrix instructions of TF32"),
                                static_cast<double>(std::count_if(kernel.code.begin(), kernel.code.end(),
                                                                  [](const ReadInstruction &one) {
                                                                      return isMatrix(one) && one.has("TF32");
                                                                  })),
                                QString(), QStringLiteral("SASS")});
    finding.message = QStringLiteral("The kernel multiplies in TF32 (%1: 10 bits of mantissa), and the task "
                                     "allows FP32 only: its speed is not that of FP32.")
                          .arg(at->opcode);
    finding.advice = QStringLiteral("Allow TF32 for the task where its precision suffices, or split each "
                                    "operand into two TF32 parts (3xTF32) to come near FP32.");
    found.push_back(std::move(finding));
}

} // namespace

std::vector<Finding> matrixFindings(const FindingContext &context) {
    std::vector<Finding> found;
    noMatrixUnit(context, found);
    for (const KernelEvidence &kernel : context.kernels) {
        olderInstruction(context, kernel, found);
        tf32(context, kernel, found);
    }
    return found;
}

} // namespace warpwright
