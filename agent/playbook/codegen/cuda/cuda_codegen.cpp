// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/cuda_codegen.h"

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
#include "agent/playbook/schedule/column_scan.h"
#include "agent/playbook/schedule/index_sharing.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/schedule/matmul/sm90_batched_matmul.h"
#include "agent/playbook/schedule/sliding_window.h"
#include "agent/playbook/schedule/sm90_convolution.h"
#include "agent/playbook/schedule/transpose_tile.h"
#include "agent/playbook/schedule/vectorized_pooling.h"

namespace warpwright {

QString cudaText(const ReferenceGraph &graph, const Program &program, const Kernel &kernel,
                 const KernelNames &names, const Knobs &knobs) {
    if (isCellMatmul(kernel))
        return cellMatmulCudaText(graph, program, kernel, names);
    if (isSm90BatchedMatmul(kernel))
        return sm90BatchedMatmulCudaText(graph, program, kernel, names);
    if (isSm90Matmul(kernel))
        return sm90MatmulCudaText(graph, program, kernel, names);
    if (kernel.structuredOp == StructuredOp::Matmul)
        return isSkinnyMatmul(kernel) ? skinnyMatmulCudaText(graph, program, kernel, names)
                                      : cublasLtMatmulCudaText(graph, program, kernel, names, knobs);
    if (kernel.structuredOp == StructuredOp::ScatteredRows)
        return scatterCudaText(graph, program, kernel, names);
    if (kernel.structuredOp == StructuredOp::SortedRows)
        return sortCudaText(graph, program, kernel, names);
    if (kernel.structuredOp == StructuredOp::Attention)
        return attentionCudaText(graph, program, kernel, names, knobs);
    if (isSm90Convolution(kernel))
        return sm90ConvolutionCudaText(graph, program, kernel, names);
    if (kernel.structuredOp == StructuredOp::Convolution)
        return kernel.convolution.isDepthwise()
                   ? depthwiseCudaText(graph, program, kernel, names)
                   : cudnnConvolutionCudaText(graph, program, kernel, names, knobs);
    if (slidesDown(kernel, knobs))
        return slidingWindowCudaText(graph, program, kernel, names, knobs);
    if (knobs.hasWideLoads && rowsPerThread(kernel) > 1)
        return vectorizedPoolingCudaText(graph, program, kernel, names, knobs);
    if (isColumnScan(kernel))
        return columnScanCudaText(graph, program, kernel, names, knobs);
    if (knobs.hasWideLoads && rowScanOf(kernel))
        return rowScanCudaText(graph, program, kernel, names, knobs);
    if (const auto tiled = transposeTileOf(kernel))
        return transposeTileCudaText(graph, program, kernel, names, *tiled);
    if (const auto positions = withSharedIndices(kernel))
        return genericKernelCudaText(graph, program, *positions, names, knobs);
    return genericKernelCudaText(graph, program, kernel, names, knobs);
}

} // namespace warpwright
