// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/findings/detectors.h"
#include "toolchain/inspect/opcode_class.h"

#include <algorithm>
#include <set>

namespace warpwright {
namespace {

/// Of the kernel's samples. One division for each thread of a kernel that moves data costs 2 % (measured).
constexpr double leastOfDivisions = 0.08;
constexpr double leastOfCarries = 0.12;
/// Without samples: instructions with a carry in loops, and their part of all there. A pointer that moves on
/// takes one in each turn.
constexpr int manyCarries = 8;
constexpr double partOfLoop = 0.3;
/// A division by a value that the compiler does not know is about so many instructions long (CUDA 12, 13).
constexpr std::size_t divisionLength = 24;

/// It begins with a conversion rounded up, whose reciprocal follows.
bool beginsDivision(const std::vector<ReadInstruction> &code, std::size_t at) {
    if (code[at].base != QLatin1String("I2F") || !code[at].has("RP"))
        return false;
    for (std::size_t i = at + 1; i < std::min(code.size(), at + 8); ++i)
        if (code[i].base == QLatin1String("MUFU") && code[i].has("RCP"))
            return true;
    return false;
}

bool isCarry(const ReadInstruction &one) {
    return (one.has("X") || one.has("EX")) && one.kind == OpcodeClass::Integer;
}

double working(const ReadInstruction &one) {
    return one.count("samples") - one.count("stall.long_scoreboard") - one.count("stall.barrier") -
           one.count("stall.drain") - one.count("stall.lg_throttle");
}

std::optional<Finding> divisions(const FindingContext &context, const KernelEvidence &kernel) {
    std::set<std::size_t> parts;
    std::vector<std::size_t> begins;
    double samples = 0, most = -1;
    int place = -1;
    for (std::size_t i = 0; i < kernel.code.size(); ++i) {
        if (!beginsDivision(kernel.code, i) || (!kernel.hasSamples() && !kernel.code[i].isInLoop))
            continue;
        begins.push_back(i);
        double own = 0;
        for (std::size_t k = i; k < std::min(kernel.code.size(), i + divisionLength); ++k) {
            const bool isOfLine = kernel.code[i].line == 0 || (kernel.code[k].line == kernel.code[i].line &&
                                                               kernel.code[k].file == kernel.code[i].file);
            if (isOfLine && parts.insert(k).second)
                own += working(kernel.code[k]);
        }
        samples += own;
        if (own > most) {
            most = own;
            place = static_cast<int>(i);
        }
    }
    const double share = kernel.hasSamples() ? samples / kernel.samples : 0;
    if (begins.empty() || (kernel.hasSamples() && share < leastOfDivisions))
        return std::nullopt;
    Finding finding =
        findingAt(context, kernel, "integer-division", QStringLiteral("Integer divisions"), place);
    finding.isMeasured = kernel.hasSamples();
    finding.evidence.push_back({QStringLiteral("divisions by a value known only at run time"),
                                static_cast<double>(begins.size()), QString(), QStringLiteral("SASS")});
    finding.message = QStringLiteral("The kernel divides an integer (or takes a remainder) by a value that "
                                     "is unknown at compile time: about 20 instructions each time%1.")
                          .arg(kernel.hasSamples() ? QString() : QStringLiteral(", in a loop"));
    finding.advice = QStringLiteral("Make the divisor a template parameter or a power of two, increment the "
                                    "two indices instead, or take them from blockIdx.y and threadIdx.y.");
    if (kernel.hasSamples()) {
        finding.evidence.push_back({QStringLiteral("samples in them"), share * 100, QStringLiteral("%"),
                                    QStringLiteral("ncu: smsp__pcsamp")});
        claim(finding, context, kernel, share,
              QStringLiteral("%1 of the kernel's samples are in divisions").arg(shareText(share)));
    }
    return finding;
}

std::optional<Finding> wideIndices(const FindingContext &context, const KernelEvidence &kernel) {
    double samples = 0;
    int carries = 0, inLoops = 0, place = -1;
    for (std::size_t i = 0; i < kernel.code.size(); ++i) {
        const ReadInstruction &one = kernel.code[i];
        inLoops += one.isInLoop ? 1 : 0;
        if (!one.isInLoop || !isCarry(one))
            continue;
        ++carries;
        samples += std::max(0.0, working(one));
        if (place < 0)
            place = static_cast<int>(i);
    }
    const double share = kernel.hasSamples() ? samples / kernel.samples : 0;
    const bool isTold = kernel.hasSamples() ? share >= leastOfCarries
                                            : carries >= manyCarries && carries >= partOfLoop * inLoops;
    if (place < 0 || !isTold)
        return std::nullopt;
    Finding finding = findingAt(
        context, kernel, "wide-index", QStringLiteral("64-bit index arithmetic in the inner loop"),
        kernel.hasSamples()
            ? kernel.costliest([](const ReadInstruction &one) { return one.isInLoop && isCarry(one); })
            : place);
    finding.isMeasured = kernel.hasSamples();
    finding.evidence.push_back({QStringLiteral("instructions with a carry in loops"),
                                static_cast<double>(carries), QString(), QStringLiteral("SASS")});
    finding.evidence.push_back({QStringLiteral("instructions in loops"), static_cast<double>(inLoops),
                                QString(), QStringLiteral("SASS")});
    finding.message = QStringLiteral("%1 of the %2 instructions in loops compute upper halves of 64-bit "
                                     "additions: the indices are wider than needed.")
                          .arg(carries)
                          .arg(inLoops);
    finding.advice = QStringLiteral("Use int or unsigned indices inside the block, and add the block's "
                                    "64-bit offset to the pointer once before the loop.");
    if (kernel.hasSamples()) {
        finding.evidence.push_back({QStringLiteral("samples at them"), share * 100, QStringLiteral("%"),
                                    QStringLiteral("ncu: smsp__pcsamp")});
        claim(finding, context, kernel, share,
              QStringLiteral("%1 of the kernel's samples are at upper halves").arg(shareText(share)));
    }
    return finding;
}

} // namespace

std::vector<Finding> indexFindings(const FindingContext &context) {
    std::vector<Finding> found;
    for (const KernelEvidence &kernel : context.kernels)
        for (const auto &finding : {divisions(context, kernel), wideIndices(context, kernel)})
            if (finding)
                found.push_back(*finding);
    return found;
}

} // namespace warpwright
