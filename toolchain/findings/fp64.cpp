// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/json.h"
#include "toolchain/findings/detectors.h"
#include "toolchain/inspect/opcode_class.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr double leastShare = 0.03; ///< of the kernel's samples

bool isFp64(const ReadInstruction &one) {
    return one.kind == OpcodeClass::Fp64 || one.has("F64") || one.has("RCP64H") || one.has("RSQ64H");
}

/// Whether the task itself is of doubles: by its tensors, else by the reference's words.
bool wantsDoubles(const FindingContext &context) {
    if (context.input.evaluation && context.input.evaluation->task.is_object())
        for (const char *key : {"inputs", "outputs"}) {
            const auto tensors = context.input.evaluation->task.find(key);
            if (tensors == context.input.evaluation->task.end() || !tensors->is_array())
                continue;
            for (const auto &tensor : *tensors)
                if (stringIn(tensor, "dtype").contains(QLatin1String("64")) &&
                    !stringIn(tensor, "dtype").contains(QLatin1String("int")))
                    return true;
        }
    const auto reference = context.input.texts.find(QStringLiteral("model.py"));
    return reference != context.input.texts.end() &&
           (reference->second.contains("float64") || reference->second.contains("double"));
}

} // namespace

std::vector<Finding> fp64Findings(const FindingContext &context) {
    if (wantsDoubles(context))
        return {};
    std::vector<Finding> found;
    for (const KernelEvidence &kernel : context.kernels) {
        double share = 0;
        int count = 0, place = -1;
        for (std::size_t i = 0; i < kernel.code.size(); ++i) {
            const ReadInstruction &one = kernel.code[i];
            if (!isFp64(one))
                continue;
            ++count;
            if (place < 0 && (one.isInLoop || kernel.hasSamples()))
                place = static_cast<int>(i);
            share += one.count("samples");
        }
        if (kernel.hasSamples()) {
            share = share / kernel.samples;
            for (const SampledWait &wait : kernel.waits)
                if (wait.producer >= 0 && isFp64(kernel.code[static_cast<std::size_t>(wait.producer)]) &&
                    !isFp64(kernel.code[wait.at]))
                    share += wait.samples / kernel.samples;
            if (share < leastShare)
                continue;
            place = kernel.costliest(isFp64);
        } else if (place < 0) {
            continue; // one conversion at the end is cheap: only what is in a loop is told unmeasured
        }
        Finding finding =
            findingAt(context, kernel, "fp64", QStringLiteral("Computes in double precision"), place);
        finding.isMeasured = kernel.hasSamples();
        finding.evidence.push_back({QStringLiteral("FP64 instructions"), static_cast<double>(count),
                                    QString(), QStringLiteral("SASS")});
        finding.message = QStringLiteral("%1 instructions compute or convert FP64 values, but no tensor of "
                                         "the task has double precision.")
                              .arg(count);
        finding.advice = QStringLiteral(
            "Write 1.0f instead of 1.0 and expf() instead of exp(), and keep sums and constants in float.");
        if (kernel.hasSamples()) {
            finding.evidence.push_back({QStringLiteral("samples at them"), share * 100, QStringLiteral("%"),
                                        QStringLiteral("ncu: smsp__pcsamp")});
            claim(finding, context, kernel, share,
                  QStringLiteral("%1 of the kernel's samples are at them").arg(shareText(share)));
        }
        found.push_back(std::move(finding));
    }
    return found;
}

} // namespace warpwright
