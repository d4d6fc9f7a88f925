// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/findings/detectors.h"
#include "toolchain/inspect/opcode_class.h"
#include "toolchain/text/python_text.h"

#include <QRegularExpression>

#include <algorithm>
#include <bitset>

namespace warpwright {
namespace {

/// FLOP a byte of the task's matrix products: below it memory sets the pace, with and without tensor cores.
constexpr double leastIntensity = 30;
/// Of the call's time that FP32 units must take for the products, at the least.
constexpr double leastOfCall = 0.15;
/// The products' part that one kernel must compute, to be the one that is meant.
constexpr double leastOfProducts = 0.3;
/// What a good kernel reaches of a ceiling that LibTorch's own products were measured at.
constexpr double reachable = 0.6;
constexpr double leastGain = 0.10;
/// Of each word that is read from shared memory: a tile of two by two in registers has four products of four
/// words, a dot product half of one.
constexpr double leastReuse = 1;
/// Such a tile, unrolled sixteen times.
constexpr double leastWritten = 64;

bool isMatrix(const ReadInstruction &one) {
    return one.kind == OpcodeClass::Tensor;
}

QString adviceText() {
    return QStringLiteral("Use the tensor cores: wmma or mma.sync on every GPU that has them, wgmma on "
                          "sm_90, with tiles in shared memory (CUTLASS provides such kernels).");
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

void byTheTask(const FindingContext &context, std::vector<Finding> &found) {
    if (!context.input.evaluation || !context.figures || !context.callMicroseconds ||
        anyMatrixInstruction(context))
        return;
    const QStringList &allowed = context.input.evaluation->precisionAllowed;
    const double products = number(context.input.evaluation->task, "matrixFlops");
    // What is allowed is said of FP32 tensors; of 16 bits the tensors themselves may be.
    const bool allowsHalf = allowed.contains(QLatin1String("BF16")) ||
                            allowed.contains(QLatin1String("FP16")) ||
                            number(context.input.evaluation->task, "halfMatrixFlops") > 0.5 * products;
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
        findingAt(context, *most, "no-matrix-unit", QStringLiteral("The tensor cores are idle"), place);
    finding.isMeasured = most->isCounted();
    const QString kind = allowsHalf ? QStringLiteral("BF16 or FP16") : QStringLiteral("TF32");
    finding.evidence.push_back({QStringLiteral("FLOPs of the task's matrix products"), products,
                                QStringLiteral("FLOP"), QStringLiteral("the judge's count")});
    finding.evidence.push_back({QStringLiteral("least time on FP32 units"), scalar, QStringLiteral("µs"),
                                QStringLiteral("the judge's ceilings")});
    finding.evidence.push_back({QStringLiteral("least time on tensor cores"), products / *ceiling * 1e6,
                                QStringLiteral("µs"), QStringLiteral("the judge's ceilings")});
    finding.message = QStringLiteral("The matrix products (%1) run as scalar multiply-adds: at best %2 on "
                                     "FP32 units, where tensor cores need %3 in %4, which this task allows.")
                          .arg(scaledText(products, QStringLiteral("FLOP")), timeText(scalar),
                               timeText(products / *ceiling * 1e6), kind);
    finding.advice = adviceText();
    const double fastest = std::max(products / *ceiling / reachable,
                                    device.bytesPerSecond ? bytes / *device.bytesPerSecond : 0) *
                           1e6;
    if (most->isCounted() && most->microseconds && *most->microseconds > 0) {
        const double share = 1 - fastest / *most->microseconds;
        if (share * *most->microseconds < leastGain * call)
            return;
        claim(finding, context, *most, share,
              QStringLiteral("the kernel's time less %1: the products at %2 of the tensor cores' ceiling")
                  .arg(timeText(fastest), shareText(reachable)));
    } else {
        if (1 - fastest / call < leastGain)
            return;
        finding.gainMicroseconds = call - fastest;
        finding.gainShare = 1 - fastest / call;
        finding.gainBasis =
            QStringLiteral("the call's time less %1: the products at %2 of the tensor cores' ceiling")
                .arg(timeText(fastest), shareText(reachable));
    }
    found.push_back(std::move(finding));
}

/// What the reference's text says of its products.
struct WrittenTask {
    bool multiplies = false;
    bool isHalf = false; ///< float16
    bool isBfloat = false;
};

WrittenTask readReference(const CandidateTexts &texts) {
    static const QRegularExpression products(QStringLiteral(
        R"(\b([Ll]inear|matmul|mm|bmm|addmm|baddbmm|einsum|[Cc]onv[123]d|scaled_dot_product_attention|)"
        R"(MultiheadAttention)\b|[\w)\]] @ [\w(])"));
    static const QRegularExpression half(QStringLiteral(R"(\bfloat16\b|\.half\b)"));
    static const QRegularExpression bfloat(QStringLiteral(R"(\bbfloat16\b)"));
    WrittenTask task;
    for (const auto &[path, text] : texts) {
        if (isCandidatePath(path) || !path.endsWith(QLatin1String(".py")))
            continue;
        const QString code = readPythonText(text).code;
        task.multiplies |= products.match(code).hasMatch();
        task.isHalf |= half.match(code).hasMatch();
        task.isBfloat |= bfloat.match(code).hasMatch();
    }
    return task;
}

/// Multiply-adds one by one in the form of a matrix product: both factors come from shared memory, and each
/// that was read from there is used several times.
struct TiledProducts {
    double products = 0; ///< executed, in warps; of a listing: how many stand in its loops
    double words = 0;    ///< of four bytes that were read from shared memory, counted the same way
};

bool isWidening(const ReadInstruction &one) {
    // How a pair of 16-bit floats becomes two of 32 bits.
    static const QStringList bases{QStringLiteral("PRMT"), QStringLiteral("SHF"),   QStringLiteral("SHL"),
                                   QStringLiteral("LOP3"), QStringLiteral("HADD2"), QStringLiteral("F2F"),
                                   QStringLiteral("MOV")};
    return bases.contains(one.base) ||
           (one.base == QLatin1String("IMAD") && (one.has("U32") || one.has("SHL") || one.has("MOV")));
}

TiledProducts tiledProducts(const std::vector<ReadInstruction> &code, bool isCounted) {
    constexpr std::size_t registers = 256;
    std::bitset<registers> isShared; // what a register holds was read from shared memory
    const auto shared = [&isShared](int number) {
        return number >= 0 && static_cast<std::size_t>(number) < registers &&
               isShared[static_cast<std::size_t>(number)];
    };
    TiledProducts sum;
    // The end of a loop is before its beginning: what it leaves in registers is known in the second round.
    for (const bool counts : {false, true})
        for (const ReadInstruction &one : code) {
            const double times = isCounted ? one.count("executed") : one.isInLoop ? 1 : 0;
            const bool isLoad = one.base == QLatin1String("LDS");
            if (counts && isLoad)
                sum.words += times * loadedBytes(one) / 4;
            if (counts && one.base == QLatin1String("FFMA") && one.reads.size() == 3 &&
                one.writes.size() == 1 && one.reads[2] == one.writes[0] && one.reads[0] != one.reads[1] &&
                shared(one.reads[0]) && shared(one.reads[1]))
                sum.products += times;
            const bool holds =
                isLoad || (isWidening(one) && std::any_of(one.reads.begin(), one.reads.end(), shared));
            for (const int number : one.writes)
                if (number >= 0 && static_cast<std::size_t>(number) < registers)
                    isShared[static_cast<std::size_t>(number)] = holds;
        }
    return sum;
}

/// FP32 multiply-adds of an SM in a cycle, in warps: from sm_86 on it has 128 lanes, before 64.
double scalarRate(int capability) {
    return capability <= 80 ? 2 : 4;
}

/// Multiply-adds of 16-bit floats with FP32 sums that the tensor cores do while the FP32 units do one, by
/// NVIDIA's architecture papers (dense); at the least, where chips of one capability differ.
double matrixRatio(int capability) {
    switch (capability) {
    case 80:
    case 90:
    case 100:
    case 103:
        return 16;
    case 70:
    case 72:
    case 75:
        return 8;
    default:
        return 2;
    }
}

/// Without a check the judge's counts are not there, and the texts have to say it: the reference multiplies
/// tensors of 16 bits, and a kernel does it one by one.
void byTheTexts(const FindingContext &context, std::vector<Finding> &found) {
    const int capability = context.computeCapability();
    const WrittenTask task = readReference(context.input.texts);
    const bool fits = (task.isHalf && capability >= 70) || (task.isBfloat && capability >= 80);
    if (!task.multiplies || !fits || anyMatrixInstruction(context))
        return;
    // A check's count is no time: it holds on whatever device it was taken.
    if (context.input.evaluation)
        if (const OrderedJson &counted = context.input.evaluation->task;
            number(counted, "matrixFlops") > 0 &&
            number(counted, "halfMatrixFlops") <= 0.5 * number(counted, "matrixFlops"))
            return;
    for (const KernelEvidence &kernel : context.kernels) {
        const TiledProducts tiled = tiledProducts(kernel.code, kernel.isCounted());
        if (tiled.words <= 0 || tiled.products < leastReuse * tiled.words ||
            (!kernel.isCounted() && tiled.products < leastWritten))
            continue;
        const int place = kernel.hasSamples() ? kernel.costliest(isScalarProduct) : [&kernel] {
            for (std::size_t i = 0; i < kernel.code.size(); ++i)
                if (isScalarProduct(kernel.code[i]) && kernel.code[i].isInLoop)
                    return static_cast<int>(i);
            return -1;
        }();
        Finding finding =
            findingAt(context, kernel, "no-matrix-unit", QStringLiteral("The tensor cores are idle"), place);
        const QString kind = task.isBfloat ? QStringLiteral("BF16") : QStringLiteral("FP16");
        finding.evidence.push_back(
            {kernel.isCounted()
                 ? QStringLiteral("multiply-adds of operands from shared memory, counted by warp")
                 : QStringLiteral("multiply-adds of operands from shared memory, in loops"),
             tiled.products, QString(),
             kernel.isCounted() ? QStringLiteral("ncu: inst_executed of FFMA") : QStringLiteral("SASS")});
        finding.evidence.push_back({QStringLiteral("multiply-adds per word read from shared memory"),
                                    tiled.products / tiled.words, QString(),
                                    kernel.isCounted() ? QStringLiteral("ncu: inst_executed of FFMA, LDS")
                                                       : QStringLiteral("SASS")});
        finding.message =
            QStringLiteral("The reference multiplies %1 tensors, but the kernel multiplies with scalar "
                           "instructions on FP32 units; it has no tensor core instruction.")
                .arg(kind);
        finding.advice = adviceText();
        if (kernel.isCounted()) {
            const auto cycles = kernel.number("gpc__cycles_elapsed.max");
            const auto units = kernel.number("launch__sm_count");
            const double bytes = kernel.number("dram__bytes_read.sum").value_or(0) +
                                 kernel.number("dram__bytes_write.sum").value_or(0);
            if (!cycles || !units || *cycles <= 0 || *units <= 0 ||
                2 * 32 * tiled.products < leastIntensity * bytes)
                continue;
            const double busy = std::min(1.0, tiled.products / (*cycles * *units * scalarRate(capability)));
            const double call = context.callMicroseconds.value_or(0);
            if (!kernel.microseconds || busy * *kernel.microseconds < leastOfCall * call)
                continue;
            const double left =
                std::max(busy / matrixRatio(capability) / reachable,
                         kernel.share("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed").value_or(0) /
                             reachable);
            if ((1 - left) * *kernel.microseconds < leastGain * call)
                continue;
            finding.evidence.push_back({QStringLiteral("share of the FP32 units' peak rate"), busy * 100,
                                        QStringLiteral("%"),
                                        QStringLiteral("ncu: inst_executed of FFMA, gpc__cycles_elapsed")});
            claim(finding, context, kernel, 1 - left,
                  QStringLiteral("the kernel's time less %1: the products on tensor cores, %2 times as fast "
                                 "as FP32 units, at %3 of their rate")
                      .arg(timeText(left * *kernel.microseconds), numberText(matrixRatio(capability)),
                           shareText(reachable)));
        }
        found.push_back(std::move(finding));
    }
}

} // namespace

std::vector<Finding> scalarProductFindings(const FindingContext &context) {
    std::vector<Finding> found;
    // A check that stopped before its profile has figures as well, and no ceiling in them.
    if (context.figures && context.figures->candidate() != nullptr &&
        context.figures->device.fp32FlopsPerSecond)
        byTheTask(context, found);
    else
        byTheTexts(context, found);
    return found;
}

} // namespace warpwright
