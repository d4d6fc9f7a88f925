// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/cuda_text.h"

#include "agent/playbook/codegen/cuda/attention/attention_cuda.h"
#include "agent/playbook/codegen/cuda/convolution/depthwise_cuda.h"
#include "agent/playbook/codegen/cuda/convolution/own_convolution_cuda.h"
#include "agent/playbook/codegen/cuda/libraries/convolution_cuda.h"
#include "agent/playbook/codegen/cuda/libraries/product_cuda.h"
#include "agent/playbook/codegen/cuda/loops/column_scan_cuda.h"
#include "agent/playbook/codegen/cuda/loops/cuda_emitter.h"
#include "agent/playbook/codegen/cuda/loops/row_scan_cuda.h"
#include "agent/playbook/codegen/cuda/loops/sliding_windows_cuda.h"
#include "agent/playbook/codegen/cuda/loops/tiled_cuda.h"
#include "agent/playbook/codegen/cuda/loops/wide_windows_cuda.h"
#include "agent/playbook/codegen/cuda/matmul/across_product_cuda.h"
#include "agent/playbook/codegen/cuda/matmul/own_product_cuda.h"
#include "agent/playbook/codegen/cuda/matmul/small_product_cuda.h"
#include "agent/playbook/codegen/cuda/recurrence/turn_product_cuda.h"
#include "agent/playbook/codegen/scatter_text.h"
#include "agent/playbook/codegen/sort_text.h"
#include "agent/playbook/ir/product_terms.h"
#include "agent/playbook/schedule/column_scan.h"
#include "agent/playbook/schedule/matmul/across_product.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/schedule/own_convolution.h"
#include "agent/playbook/schedule/places_cuda.h"
#include "agent/playbook/schedule/sliding_windows.h"
#include "agent/playbook/schedule/transpose_tile.h"
#include "agent/playbook/schedule/vectorized_pooling.h"

namespace warpwright {

QString cudaText(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                 const KernelNames &names, const KernelTuning &tuning) {
    if (isTurnProduct(kernel))
        return turnProductCudaText(graph, plan, kernel, names);
    if (isAcrossProduct(kernel))
        return acrossProductCudaText(graph, plan, kernel, names);
    if (isOwnProduct(kernel))
        return ownProductCudaText(graph, plan, kernel, names);
    if (kernel.anchor == Anchor::Product)
        return isSmallProduct(kernel) ? smallProductCudaText(graph, plan, kernel, names)
                                      : productCudaText(graph, plan, kernel, names, tuning);
    if (kernel.anchor == Anchor::ScatteredRows)
        return scatterCudaText(graph, plan, kernel, names);
    if (kernel.anchor == Anchor::SortedRows)
        return sortCudaText(graph, plan, kernel, names);
    if (kernel.anchor == Anchor::Attention)
        return attentionCudaText(graph, plan, kernel, names, tuning);
    if (isOwnConvolution(kernel))
        return ownConvolutionCudaText(graph, plan, kernel, names);
    if (kernel.anchor == Anchor::Convolution)
        return kernel.convolution.isDepthwise() ? depthwiseCudaText(graph, plan, kernel, names)
                                                : convolutionCudaText(graph, plan, kernel, names, tuning);
    if (slidesDown(kernel, tuning))
        return slidingWindowsCudaText(graph, plan, kernel, names, tuning);
    if (tuning.hasWideLoads && rowsOfThread(kernel) > 1)
        return wideWindowsCudaText(graph, plan, kernel, names, tuning);
    if (isColumnScan(kernel))
        return columnScanCudaText(graph, plan, kernel, names, tuning);
    if (tuning.hasWideLoads && rowScanOf(kernel))
        return rowScanCudaText(graph, plan, kernel, names, tuning);
    if (const auto tiled = tiledLoopsOf(kernel))
        return tiledCudaText(graph, plan, kernel, names, *tiled);
    if (const auto places = withPlacesInThreads(kernel))
        return fusedCudaText(graph, plan, *places, names, tuning);
    return fusedCudaText(graph, plan, kernel, names, tuning);
}

} // namespace warpwright
