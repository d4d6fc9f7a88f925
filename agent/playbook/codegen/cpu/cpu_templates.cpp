// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cpu/cpu_templates.h"

#include "agent/playbook/codegen/cpu/attention_cpu.h"
#include "agent/playbook/codegen/cpu/blas_matmul.h"
#include "agent/playbook/codegen/cpu/column_reduction.h"
#include "agent/playbook/codegen/cpu/generic_kernel_cpu.h"
#include "agent/playbook/codegen/cpu/im2col_convolution.h"
#include "agent/playbook/codegen/cpu/nhwc_convolution_cpu.h"
#include "agent/playbook/codegen/scatter.h"
#include "agent/playbook/codegen/sort.h"
#include "agent/playbook/schedule/cpu_blocking.h"
#include "agent/playbook/schedule/kernel_seconds.h"
#include "agent/playbook/schedule/reduction_schedule.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr double scalarCallSeconds = 5e-9;     ///< exp, tanh, … of one element by a call
constexpr double vectorCallSeconds = 0.5e-9;   ///< the same per element of vector code
constexpr double instructionSeconds = 0.05e-9; ///< of a vector instruction, per element
constexpr double sharedLineSeconds = 4;        ///< times longer: cache lines of which one element is used
constexpr double cpuThreadOperations = 30e9;   ///< multiplications and additions a second, of a library
constexpr double sortStepSeconds = 4.7e-9; ///< of std::sort, of n log n of them: rows of 900 random floats

/// Expensive and other steps per element, with those that later loops over a row recompute.
struct Work {
    double calls = 0;
    double instructions = 0;
};

Work workOf(const Kernel &kernel, RowCaching caching) {
    Work work;
    const double elements = static_cast<double>(kernel.rows()) * static_cast<double>(kernel.columns());
    for (const ReductionPass &pass : scheduleOf(kernel, caching).passes)
        for (const int step : pass.computed)
            (isExpensive(kernel.step(step).op) ? work.calls : work.instructions) += elements;
    return work;
}

double librarySeconds(const Kernel &kernel, const Knobs &, double bandwidth, int threads) {
    return kernel.bytes() / bandwidth + kernel.operations() / (cpuThreadOperations * threads);
}

double sortSeconds(const Kernel &kernel, const Knobs &, double bandwidth, int threads) {
    return kernel.bytes() / bandwidth + sortStepSeconds *
                                            static_cast<double>(kernel.rows() * kernel.columns()) *
                                            std::log2(static_cast<double>(kernel.columns())) / threads;
}

double loopSeconds(const Kernel &kernel, const Knobs &knobs, double bandwidth, int threads) {
    double bytes = kernel.bytes();
    // A usual store reads its cache line first.
    if (!(knobs.streamsResults && canStreamResults(kernel)))
        bytes += storedBytes(kernel);
    if (isColumnReduction(kernel) && !knobs.hasColumnTiles)
        bytes *= sharedLineSeconds;
    const Work work = workOf(kernel, knobs.cachesRow ? RowCaching::Costly : RowCaching::Nothing);
    const double call = knobs.hasVectorMath ? vectorCallSeconds : scalarCallSeconds;
    return bytes / bandwidth + (work.calls * call + work.instructions * instructionSeconds) / threads;
}

template <typename Op>
bool is(const Kernel &kernel) {
    return std::holds_alternative<Op>(kernel.structuredOp);
}

template <auto writer>
QString written(const KernelSource &source) {
    const QString text = writer(source);
    return isWorthThreads(source.kernel) ? text : withoutThreads(text);
}

} // namespace

const std::vector<CpuTemplate> &cpuTemplates() {
    static const std::vector<CpuTemplate> templates = {
        {"blas_matmul", is<Matmul>, librarySeconds, written<matmulCpuText>},
        {"attention", is<Attention>, librarySeconds, written<attentionCpuText>},
        {"scatter", is<ScatteredRows>, librarySeconds, written<scatterCpuText>},
        {"sort", is<SortedRows>, sortSeconds, written<sortCpuText>},
        {"nhwc_convolution",
         [](const Kernel &kernel) {
             return is<Convolution>(kernel) && kernel.convolution()->sizes.isChannelsLast;
         },
         librarySeconds, written<nhwcConvolutionCpuText>},
        {"im2col_convolution", is<Convolution>, librarySeconds, written<convolutionCpuText>},
        {"generic_kernel", [](const Kernel &) { return true; }, loopSeconds, genericKernelCpuText},
    };
    return templates;
}

const CpuTemplate &cpuTemplateOf(const Kernel &kernel) {
    const std::vector<CpuTemplate> &all = cpuTemplates();
    return *std::find_if(all.begin(), all.end() - 1,
                         [&](const CpuTemplate &one) { return one.canRun(kernel); });
}

} // namespace warpwright
