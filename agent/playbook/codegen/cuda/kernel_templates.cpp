// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/kernel_templates.h"

#include "agent/playbook/codegen/cuda/attention/attention.h"
#include "agent/playbook/codegen/cuda/convolution/depthwise_convolution.h"
#include "agent/playbook/codegen/cuda/convolution/sm90_convolution.h"
#include "agent/playbook/codegen/cuda/libraries/cublaslt_matmul.h"
#include "agent/playbook/codegen/cuda/libraries/cudnn_convolution.h"
#include "agent/playbook/codegen/cuda/loops/column_scan.h"
#include "agent/playbook/codegen/cuda/loops/generic_kernel.h"
#include "agent/playbook/codegen/cuda/loops/row_scan.h"
#include "agent/playbook/codegen/cuda/loops/sliding_window.h"
#include "agent/playbook/codegen/cuda/loops/transpose_tile.h"
#include "agent/playbook/codegen/cuda/loops/vectorized_pooling.h"
#include "agent/playbook/codegen/cuda/matmul/skinny_matmul.h"
#include "agent/playbook/codegen/cuda/matmul/sm90_batched_matmul.h"
#include "agent/playbook/codegen/cuda/matmul/sm90_matmul.h"
#include "agent/playbook/codegen/cuda/recurrence/cell_matmul.h"
#include "agent/playbook/codegen/scatter.h"
#include "agent/playbook/codegen/sort.h"
#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/schedule/attention_space.h"
#include "agent/playbook/schedule/column_scan.h"
#include "agent/playbook/schedule/depthwise_space.h"
#include "agent/playbook/schedule/index_sharing.h"
#include "agent/playbook/schedule/kernel_seconds.h"
#include "agent/playbook/schedule/loop_space.h"
#include "agent/playbook/schedule/matmul/cell_matmul.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/schedule/matmul/sm90_batched_matmul.h"
#include "agent/playbook/schedule/row_scan.h"
#include "agent/playbook/schedule/sliding_window.h"
#include "agent/playbook/schedule/sm90_convolution.h"
#include "agent/playbook/schedule/sort_space.h"
#include "agent/playbook/schedule/transpose_tile.h"
#include "agent/playbook/schedule/vectorized_pooling.h"

#include <algorithm>

namespace warpwright {
namespace {

using Configs = std::vector<int>;

constexpr const char *matmulSummary = "a matmul";
constexpr const char *convolutionSummary = "a convolution";
constexpr const char *loopSummary = "reductions over rows and what surrounds them";

template <typename Op>
bool is(const Kernel &kernel, const Knobs &) {
    return std::holds_alternative<Op>(kernel.structuredOp);
}

std::vector<KernelTemplate> matmulTemplates() {
    constexpr auto one = [](const Kernel &, const Knobs &) {
        return Configs{0};
    };
    return {
        {"cell_matmul", matmulSummary, false, false,
         [](const Kernel &kernel, const Knobs &) { return isCellMatmul(kernel); },
         [](const Kernel &kernel, const Knobs &) { return cellMatmulWarps(kernel); }, cellMatmulLaunchSeconds,
         cellMatmulCudaText},
        {"sm90_batched_matmul", matmulSummary, false, false,
         [](const Kernel &kernel, const Knobs &) { return isSm90BatchedMatmul(kernel); }, one,
         sm90MatmulSeconds, sm90BatchedMatmulCudaText},
        {"sm90_matmul", matmulSummary, false, false,
         [](const Kernel &kernel, const Knobs &) { return isSm90Matmul(kernel); }, one, sm90MatmulSeconds,
         sm90MatmulCudaText},
        {"skinny_matmul", matmulSummary, false, false,
         [](const Kernel &kernel, const Knobs &) { return isSkinnyMatmul(kernel); },
         [](const Kernel &kernel, const Knobs &) { return skinnyMatmulRows(kernel); }, librarySeconds,
         skinnyMatmulCudaText},
        {"cublaslt_matmul", matmulSummary, true, true, is<Matmul>,
         [](const Kernel &, const Knobs &) {
             return Configs{0, 1, 2, 3};
         },
         librarySeconds, cublasLtMatmulCudaText},
    };
}

std::vector<KernelTemplate> convolutionTemplates() {
    return {
        {"sm90_convolution", convolutionSummary, false, false,
         [](const Kernel &kernel, const Knobs &) { return isSm90Convolution(kernel); },
         [](const Kernel &, const Knobs &) { return Configs{0}; }, sm90ConvolutionLaunchSeconds,
         sm90ConvolutionCudaText},
        {"depthwise_convolution", convolutionSummary, false, false,
         [](const Kernel &kernel, const Knobs &) { return kernel.isDepthwiseConvolution(); },
         [](const Kernel &kernel, const Knobs &) { return depthwiseConfigs(kernel); }, depthwiseSeconds,
         depthwiseCudaText},
        // Where cuDNN generates a kernel, each algorithm takes it half a second.
        {"cudnn_convolution", convolutionSummary, true, true, is<Convolution>,
         [](const Kernel &kernel, const Knobs &) {
             return kernel.epilogue()->isReady() ? Configs{0, 1, 2, 3} : Configs{0, 1};
         },
         librarySeconds, cudnnConvolutionCudaText},
    };
}

std::vector<KernelTemplate> otherTemplates() {
    return {
        {"scatter", "rows scattered by their indices", false, false, is<ScatteredRows>,
         [](const Kernel &, const Knobs &) { return scatterThreads(); }, librarySeconds, scatterCudaText},
        {"sort", "sorted rows", false, false, is<SortedRows>,
         [](const Kernel &kernel, const Knobs &) { return sortedPerThread(kernel); }, sortSeconds,
         sortCudaText},
        {"attention", "attention, with its scores on chip", false, true, is<Attention>, attentionConfigs,
         attentionSeconds, attentionCudaText},
    };
}

std::vector<KernelTemplate> loopTemplates() {
    return {
        {"sliding_window", loopSummary, false, false, usesSlidingWindow,
         [](const Kernel &kernel, const Knobs &) { return threadPerRowConfigs(kernel); }, loopSeconds,
         slidingWindowCudaText},
        {"vectorized_pooling", loopSummary, false, false,
         [](const Kernel &kernel, const Knobs &knobs) {
             return knobs.hasWideLoads && rowsPerThread(kernel) > 1;
         },
         [](const Kernel &kernel, const Knobs &) { return threadPerRowConfigs(kernel); }, loopSeconds,
         vectorizedPoolingCudaText},
        {"column_scan", loopSummary, false, false,
         [](const Kernel &kernel, const Knobs &) { return isColumnScan(kernel); },
         [](const Kernel &kernel, const Knobs &) { return scanWarps(kernel); }, loopSeconds,
         columnScanCudaText},
        {"row_scan", loopSummary, false, false,
         [](const Kernel &kernel, const Knobs &knobs) { return knobs.hasWideLoads && rowScanOf(kernel); },
         blockPerRowConfigs, loopSeconds, rowScanCudaText},
        {"transpose_tile", loopSummary, false, false,
         [](const Kernel &kernel, const Knobs &) { return transposeTileOf(kernel).has_value(); },
         [](const Kernel &kernel, const Knobs &) { return transposeTileConfigs(kernel); },
         transposeTileSeconds, transposeTileCudaText},
        {"shared_indices", loopSummary, false, false,
         [](const Kernel &kernel, const Knobs &) { return withSharedIndices(kernel).has_value(); },
         genericConfigs, loopSeconds,
         [](const KernelSource &source) {
             const Kernel kernel = *withSharedIndices(source.kernel);
             return genericKernelCudaText({source.graph, source.program, kernel, source.names, source.knobs});
         }},
        {"generic_kernel", loopSummary, false, false, [](const Kernel &, const Knobs &) { return true; },
         genericConfigs, loopSeconds, genericKernelCudaText},
    };
}

} // namespace

const std::vector<KernelTemplate> &cudaTemplates() {
    static const std::vector<KernelTemplate> templates = [] {
        std::vector<KernelTemplate> all;
        for (const auto &some :
             {matmulTemplates(), otherTemplates(), convolutionTemplates(), loopTemplates()})
            all.insert(all.end(), some.begin(), some.end());
        return all;
    }();
    return templates;
}

const KernelTemplate &cudaTemplateOf(const Kernel &kernel, const Knobs &knobs) {
    const std::vector<KernelTemplate> &all = cudaTemplates();
    return *std::find_if(all.begin(), all.end() - 1,
                         [&](const KernelTemplate &one) { return one.canRun(kernel, knobs); });
}

std::vector<int> configSpace(const Kernel &kernel, const Knobs &knobs) {
    return cudaTemplateOf(kernel, knobs).configs(kernel, knobs);
}

} // namespace warpwright
