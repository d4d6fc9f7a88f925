# SPDX-License-Identifier: GPL-3.0-or-later
"""Twelve large tasks with an honest candidate each, and one that is too large for 80 GB: tensors of 4 to 16 GiB.

`write(name, folder, share)` makes the workspace; the part of it that all workspaces share comes from `share`, the
folder of the templates. Kernels are simple: one thread an element or one block a row, 64-bit indices, sums in double.
"""

import pathlib
import shutil

MODEL = '''# SPDX-License-Identifier: GPL-3.0-or-later
import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__(){parameters}

    def forward({arguments}):
        return {expression}


def get_inputs():
    return [{inputs}]


def get_init_inputs():
    return []
'''

MODEL_NEW = '''# SPDX-License-Identifier: GPL-3.0-or-later
import cuda_extension
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__(){parameters}

    def forward({arguments}):
        return cuda_extension.compute({call})
'''

BINDING = '''// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchCompute({pointers}float *out, std::int64_t size, std::int64_t rows, cudaStream_t stream);

namespace {{

Tensor compute({tensors}) {{
    STD_TORCH_CHECK(x0.scalar_type() == ScalarType::Float && x0.is_contiguous(), "compute takes contiguous floats");
    Tensor out = {out};
    const DeviceGuard guard(x0);
    launchCompute({values}out.mutable_data_ptr<float>(), x0.numel(), x0.size(0), currentStream(x0));
    checkLaunch();
    return out;
}}

}} // namespace

REGISTER_FUNCTION(compute, compute, "what the model computes");
'''

POINTWISE = '''// SPDX-License-Identifier: GPL-3.0-or-later
// One thread an element, in steps of the grid; indices have 64 bits.
#include <cstdint>
#include <cuda_runtime.h>

namespace {{

__global__ void pointwise({parameters}float *__restrict__ out, std::int64_t size) {{
    const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < size; i += step) {{
        {body}
    }}
}}

}} // namespace

extern "C" void launchCompute({parameters}float *out, std::int64_t size, std::int64_t, cudaStream_t stream) {{
    pointwise<<<132 * 16, 256, 0, stream>>>({names}out, {count});
}}
'''

ROWS = '''// SPDX-License-Identifier: GPL-3.0-or-later
// One block a row; what is added up is added up in double.
#include <cmath>
#include <cstdint>
#include <cuda_runtime.h>

namespace {{

constexpr int kThreads = 512;

template <typename Value, typename Combine>
__device__ Value reduceBlock(Value value, Combine combine) {{
    __shared__ Value partials[kThreads / 32];
    for (int distance = 16; distance > 0; distance /= 2)
        value = combine(value, __shfl_xor_sync(0xffffffffu, value, distance));
    __syncthreads(); // the partials of the reduction before have been read
    if (threadIdx.x % 32 == 0)
        partials[threadIdx.x / 32] = value;
    __syncthreads();
    value = partials[0];
    for (int warp = 1; warp < kThreads / 32; ++warp)
        value = combine(value, partials[warp]);
    return value;
}}

__device__ double add(double a, double b) {{ return a + b; }}
__device__ float larger(float a, float b) {{ return a > b || a != a ? a : b; }}

__global__ void rowwise({parameters}float *__restrict__ out, std::int64_t columns) {{
    const float *row = x0 + std::int64_t(blockIdx.x) * columns;
    {body}
}}

}} // namespace

extern "C" void launchCompute({parameters}float *out, std::int64_t size, std::int64_t rows, cudaStream_t stream) {{
    rowwise<<<static_cast<unsigned>(rows), kThreads, 0, stream>>>({names}out, size / rows);
}}
'''

SUM = """double sum = 0.0;
    for (std::int64_t i = threadIdx.x; i < columns; i += kThreads)
        sum += {term};
    sum = reduceBlock(sum, add);
"""
WRITE = """    float *result = out + std::int64_t(blockIdx.x) * columns;
    for (std::int64_t i = threadIdx.x; i < columns; i += kThreads)
        result[i] = {value};"""

NORM = '''// SPDX-License-Identifier: GPL-3.0-or-later
// Two kernels: each block's sum of squares in double, added up in order by every block of the second one.
#include <cstdint>
#include <cuda_runtime.h>

namespace {

constexpr int kBlocks = 2112, kThreads = 256;
__device__ double sums[kBlocks];

__device__ double reduceBlock(double value) {
    __shared__ double partials[kThreads];
    partials[threadIdx.x] = value;
    for (int half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            partials[threadIdx.x] += partials[threadIdx.x + half];
    }
    __syncthreads();
    return partials[0];
}

__global__ void squares(const float *__restrict__ x, std::int64_t size) {
    double sum = 0.0;
    for (std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x; i < size; i += kBlocks * kThreads)
        sum += double(x[i]) * x[i];
    sum = reduceBlock(sum);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

__global__ void divide(const float *__restrict__ x, float *__restrict__ out, std::int64_t size) {
    double sum = 0.0;
    for (int i = threadIdx.x; i < kBlocks; i += kThreads)
        sum += sums[i];
    const float norm = static_cast<float>(sqrt(reduceBlock(sum)));
    for (std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x; i < size; i += kBlocks * kThreads)
        out[i] = x[i] / norm;
}

} // namespace

extern "C" void launchCompute(const float *x0, float *out, std::int64_t size, std::int64_t, cudaStream_t stream) {
    squares<<<kBlocks, kThreads, 0, stream>>>(x0, size);
    divide<<<kBlocks, kThreads, 0, stream>>>(x0, out, size);
}
'''

PRODUCT = '''// SPDX-License-Identifier: GPL-3.0-or-later
// out [rows, 1024] = relu(x0 [rows, 1024] * x1 [1024, 1024]): cuBLAS multiplies, our kernel takes the rest.
#include <cublas_v2.h>
#include <cstdint>
#include <cuda_runtime.h>

namespace {

__global__ void relu(float *out, std::int64_t size) {
    const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < size; i += step)
        out[i] = out[i] < 0.0f ? 0.0f : out[i];
}

} // namespace

extern "C" void launchCompute(const float *x0, const float *x1, float *out, std::int64_t size, std::int64_t rows,
                              cudaStream_t stream) {
    static cublasHandle_t handle = nullptr;
    if (handle == nullptr)
        cublasCreate(&handle);
    cublasSetStream(handle, stream);
    const float one = 1.0f, zero = 0.0f;
    const int inner = 1024;
    // Columns first: out^T = x1^T * x0^T.
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, inner, static_cast<int>(rows), inner, &one, x1, inner, x0, inner, &zero,
                out, inner);
    relu<<<132 * 16, 256, 0, stream>>>(out, size);
}
'''

CONVOLUTION = '''// SPDX-License-Identifier: GPL-3.0-or-later
// 3 x 3, 16 channels to 16, a border of zeros: one thread a place of an image, all 16 channels of it at once.
#include <cstdint>
#include <cuda_runtime.h>

namespace {

constexpr int kChannels = 16, kSide = 1024;

__global__ void convolve(const float *__restrict__ x, const float *__restrict__ weight, const float *__restrict__ bias,
                         float *__restrict__ out) {
    __shared__ float weights[kChannels][3][3][kChannels]; // in, row, column, out
    for (int i = threadIdx.x; i < kChannels * kChannels * 9; i += blockDim.x)
        (&weights[0][0][0][0])[i] = weight[(i % kChannels) * kChannels * 9 + i / kChannels];
    __syncthreads();
    const std::int64_t plane = std::int64_t(kSide) * kSide;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y;
    const std::int64_t image = blockIdx.z * kChannels * plane;
    float sums[kChannels];
    for (int to = 0; to < kChannels; ++to)
        sums[to] = bias[to];
    for (int from = 0; from < kChannels; ++from)
        for (int dy = 0; dy < 3; ++dy)
            for (int dx = 0; dx < 3; ++dx) {
                const int r = row + dy - 1, c = column + dx - 1;
                const float value =
                    r < 0 || r >= kSide || c < 0 || c >= kSide ? 0.0f : x[image + from * plane + std::int64_t(r) * kSide + c];
                for (int to = 0; to < kChannels; ++to)
                    sums[to] += value * weights[from][dy][dx][to];
            }
    for (int to = 0; to < kChannels; ++to)
        out[image + to * plane + std::int64_t(row) * kSide + column] = sums[to];
}

} // namespace

extern "C" void launchCompute(const float *x0, const float *x1, const float *x2, float *out, std::int64_t, std::int64_t rows,
                              cudaStream_t stream) {
    convolve<<<dim3(kSide / 256, kSide, static_cast<unsigned>(rows)), 256, 0, stream>>>(x0, x1, x2, out);
}
'''

LIKE = "emptyLike(x0)"


def pointwise(shape, expression, body, inputs=1, out=LIKE, count="size", parts=1):
    return {"shape": shape, "inputs": inputs, "expression": expression, "kernel": POINTWISE, "body": body, "out": out, "count": count}


def rowwise(shape, expression, body, out=LIKE, weights=()):
    return {"shape": shape, "inputs": 1, "expression": expression, "kernel": ROWS, "body": body, "out": out, "weights": weights}


POOLED = """const std::int64_t column = i % 512, row = i / 512 % 512, image = i / (512 * 512);
        const float *at = x0 + image * 1024 * 1024 + row * 2048 + column * 2;
        float most = at[0];
        const float others[] = {at[1], at[1024], at[1025]};
        for (const float other : others)
            most = other > most || other != other ? other : most;
        out[i] = most;"""
CHANNELS = """const std::int64_t image = i / 65536, place = i % 65536;
        const float *at = x0 + image * 1024 * 65536 + place;
        double sum = 0.0;
        for (int channel = 0; channel < 1024; ++channel)
            sum += at[std::int64_t(channel) * 65536];
        out[i] = static_cast<float>(sum / 1024);"""
SOFTMAX = ("""float most = -INFINITY;
    for (std::int64_t i = threadIdx.x; i < columns; i += kThreads)
        most = larger(most, row[i]);
    most = reduceBlock(most, larger);
    """ + SUM.format(term="expf(row[i] - most)") + WRITE.format(value="static_cast<float>(expf(row[i] - most) / sum)"))
LAYERNORM = (SUM.format(term="row[i]") + """    const double mean = sum / columns;
    double squares = 0.0;
    for (std::int64_t i = threadIdx.x; i < columns; i += kThreads)
        squares += (row[i] - mean) * (row[i] - mean);
    const double scale = 1.0 / sqrt(reduceBlock(squares, add) / columns + 1e-5);
""" + WRITE.format(value="static_cast<float>((row[i] - mean) * scale * x1[i] + x2[i])"))
ROW_SUM = SUM.format(term="double(row[i]) * row[i]") + "    if (threadIdx.x == 0)\n        out[blockIdx.x] = static_cast<float>(sqrt(sum));"
RMS = SUM.format(term="double(row[i]) * row[i]") + "    const double scale = 1.0 / sqrt(sum / columns + 1e-6);\n" + WRITE.format(value="static_cast<float>(row[i] * scale * x1[i])")

TASKS = {
    # GiB of inputs, of results
    "silu-6": pointwise((49152, 32768), "F.silu(x0)", "out[i] = x0[i] / (1.0f + expf(-x0[i]));"),  # 6, 6
    "gelu-16": pointwise((65536, 65536), "F.gelu(x0)", "out[i] = 0.5f * x0[i] * (1.0f + erff(x0[i] * 0.70710678f));"),  # 16, 16
    "multiply-add-12": pointwise((32768, 32768), "x0 * x1 + x2", "out[i] = x0[i] * x1[i] + x2[i];", inputs=3),  # 12, 4
    "row-norm-16": rowwise((65536, 65536), "torch.linalg.vector_norm(x0, dim=-1)", ROW_SUM, "newEmpty(x0, {x0.size(0)})"),  # 16, 0
    "frobenius-8": {"shape": (65536, 32768), "inputs": 1, "expression": "x0 / torch.linalg.vector_norm(x0)", "kernel": NORM, "out": LIKE},
    "rmsnorm-8": rowwise((131072, 16384), "x0 * torch.rsqrt(x0.square().mean(-1, keepdim=True) + 1e-6) * self.x1", RMS, weights=((16384,),)),
    "layernorm-4": rowwise((65536, 16384), "F.layer_norm(x0, (16384,), self.x1, self.x2)", LAYERNORM, weights=((16384,), (16384,))),
    "softmax-8": rowwise((32768, 65536), "torch.softmax(x0, dim=-1)", SOFTMAX),  # 8, 8
    "maxpool-16": pointwise((64, 64, 1024, 1024), "F.max_pool2d(x0, 2)", POOLED, out="newEmpty(x0, {64, 64, 512, 512})", count="size / 4"),
    "channel-mean-16": pointwise((64, 1024, 256, 256), "x0.mean(1)", CHANNELS, out="newEmpty(x0, {64, 256, 256})", count="size / 1024"),
    "product-4": {"shape": (1048576, 1024), "inputs": 1, "expression": "torch.relu(x0 @ self.x1)", "kernel": PRODUCT, "out": LIKE,
                  "weights": ((1024, 1024),)},
    "convolution-4": {"shape": (64, 16, 1024, 1024), "inputs": 1, "expression": "F.conv2d(x0, self.x1, self.x2, padding=1)",
                      "kernel": CONVOLUTION, "out": LIKE, "weights": ((16, 16, 3, 3), (16,))},
}
# On 80 GB: a sentence, no verdict.
TOO_LARGE = {"relu-24": pointwise((98304, 65536), "torch.relu(x0)", "out[i] = x0[i] < 0.0f ? 0.0f : x0[i];")}


def write(name, folder, share):
    task = {**TASKS, **TOO_LARGE}[name]
    weights = task.get("weights", ())
    places = [f"x{i}" for i in range(task["inputs"])]
    names = places + [f"x{len(places) + i}" for i in range(len(weights))]
    parameters = "".join(f"\n        self.x{len(places) + i} = nn.Parameter(torch.randn({', '.join(map(str, shape))}))"
                         for i, shape in enumerate(weights))
    shape = ", ".join(map(str, task["shape"]))
    arguments = ", ".join(["self"] + places)
    folder = pathlib.Path(folder)
    shutil.copytree(share, folder)
    (folder / "kernels").mkdir(exist_ok=True)
    (folder / "model.py").write_text(MODEL.format(
        parameters=parameters, arguments=arguments, expression=task["expression"],
        inputs=", ".join([f"torch.randn({shape})"] * len(places))))
    (folder / "model_new.py").write_text(MODEL_NEW.format(
        parameters=parameters, arguments=arguments, call=", ".join(place if place in places else f"self.{place}" for place in names)))
    (folder / "kernels/compute_binding.cpp").write_text(BINDING.format(
        pointers="".join(f"const float *{each}, " for each in names), tensors=", ".join(f"const Tensor &{each}" for each in names),
        values="".join(f"{each}.const_data_ptr<float>(), " for each in names), out=task["out"]))
    kernel = task["kernel"]
    if kernel in (POINTWISE, ROWS):
        kernel = kernel.format(parameters="".join(f"const float *{each}, " for each in names), names="".join(f"{each}, " for each in names),
                               body=task["body"], count=task.get("count", ""))
    (folder / "kernels/compute.cu").write_text(kernel)
