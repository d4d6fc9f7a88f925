// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of all tasks of the suite: right and plain, not fast. What is tested is the judge.
#include "tasks.h"

#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>

namespace {

constexpr int kThreads = 256;

unsigned blocksFor(int64_t count) {
    return static_cast<unsigned>((count + kThreads - 1) / kThreads);
}

__global__ void swish(const float *x, const float *scale, const float *shift, float *y, int64_t count,
                      int64_t columns) {
    const int64_t i = blockIdx.x * int64_t(kThreads) + threadIdx.x;
    if (i >= count)
        return;
    const float h = x[i] * scale[i % columns] + shift[i % columns];
    y[i] = h / (1.0f + expf(-h));
}

template <typename Combine>
__device__ float reduced(float value, float *shared, Combine combine) {
    shared[threadIdx.x] = value;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + half]);
        __syncthreads();
    }
    const float result = shared[0];
    __syncthreads();
    return result;
}

__device__ float larger(float a, float b) {
    return fmaxf(a, b);
}

__device__ float added(float a, float b) {
    return a + b;
}

__global__ void softmax(const float *x, float *y, int64_t columns, int variant) {
    __shared__ float shared[kThreads];
    const float *in = x + blockIdx.x * columns;
    float *out = y + blockIdx.x * columns;
    float largest = -INFINITY;
    float sum = 0.0f;
    if (variant == 1) {
        for (int64_t i = threadIdx.x; i < columns; i += kThreads) {
            const float next = fmaxf(largest, in[i]);
            sum = sum * expf(largest - next) + expf(in[i] - next);
            largest = next;
        }
        const float most = reduced(largest, shared, larger);
        sum = reduced(largest == -INFINITY ? 0.0f : sum * expf(largest - most), shared, added);
        largest = most;
    } else {
        for (int64_t i = threadIdx.x; i < columns; i += kThreads)
            largest = fmaxf(largest, in[i]);
        largest = reduced(largest, shared, larger);
        for (int64_t i = threadIdx.x; i < columns; i += kThreads)
            sum += expf(in[i] - largest);
        sum = reduced(sum, shared, added);
    }
    for (int64_t i = threadIdx.x; i < columns; i += kThreads)
        out[i] = expf(in[i] - largest) / sum;
}

__device__ float roundedTo(float value, int variant) {
    if (variant == 16)
        return __bfloat162float(__float2bfloat16(value));
    if (variant == 10)
        return __half2float(__float2half(value));
    if (variant == 19) {
        unsigned bits = __float_as_uint(value);
        bits += 0xfffu + ((bits >> 13) & 1u);
        return __uint_as_float(bits & ~0x1fffu);
    }
    return value;
}

constexpr int kTile = 16;

__global__ void linear(const float *x, const float *w, const float *b, float *y, int rows, int inner, int columns,
                       int variant) {
    __shared__ float left[kTile][kTile + 1];
    __shared__ float right[kTile][kTile + 1];
    const int row = blockIdx.y * kTile + threadIdx.y;
    const int column = blockIdx.x * kTile + threadIdx.x;
    const int parts = variant == 1 ? 4 : 1;
    float total = column < columns ? b[column] : 0.0f;
    for (int part = 0; part < parts; ++part) {
        float sum = 0.0f;
        for (int start = inner / parts * part; start < inner / parts * (part + 1); start += kTile) {
            const int k = start + threadIdx.x;
            left[threadIdx.y][threadIdx.x] =
                row < rows && k < inner ? roundedTo(x[int64_t(row) * inner + k], variant) : 0.0f;
            const int other = blockIdx.x * kTile + threadIdx.y;
            right[threadIdx.y][threadIdx.x] =
                other < columns && k < inner ? roundedTo(w[int64_t(other) * inner + k], variant) : 0.0f;
            __syncthreads();
            for (int i = 0; i < kTile; ++i)
                sum += left[threadIdx.y][i] * right[threadIdx.x][i];
            __syncthreads();
        }
        total += sum;
    }
    if (row < rows && column < columns)
        y[int64_t(row) * columns + column] = total;
}

__global__ void addBias(const float *b, float *y, int64_t count, int64_t columns) {
    const int64_t i = blockIdx.x * int64_t(kThreads) + threadIdx.x;
    if (i < count)
        y[i] += b[i % columns];
}

__global__ void norm(const float *x, const float *mean, const float *variance, const float *weight, const float *bias,
                     float *y, int64_t count, int64_t channels, int64_t area, float epsilon) {
    const int64_t i = blockIdx.x * int64_t(kThreads) + threadIdx.x;
    if (i >= count)
        return;
    const int64_t channel = i / area % channels;
    const float factor = weight[channel] / sqrtf(variance[channel] + epsilon);
    const float value = (x[i] - mean[channel]) * factor + bias[channel];
    y[i] = value < 0.0f ? 0.0f : value;
}

__global__ void columnSums(const float *x, float *y, int64_t rows, int64_t columns) {
    const int64_t column = blockIdx.x * int64_t(kThreads) + threadIdx.x;
    if (column >= columns)
        return;
    float sum = 0.0f;
    for (int64_t row = blockIdx.y; row < rows; row += gridDim.y)
        sum += x[row * columns + column];
    atomicAdd(&y[column], sum);
}

__global__ void rowFacts(const float *x, float *sum, float *largest, int64_t *place, int64_t *count, int64_t rows,
                         int64_t columns) {
    const int64_t row = blockIdx.x * int64_t(kThreads) + threadIdx.x;
    if (row >= rows)
        return;
    const float *in = x + row * columns;
    float total = 0.0f;
    int64_t best = 0;
    unsigned long long positive = 0;
    for (int64_t i = 0; i < columns; ++i) {
        total += in[i];
        if (in[i] > in[best])
            best = i;
        positive += in[i] > 0.0f ? 1 : 0;
    }
    sum[row] = total;
    largest[row] = in[best];
    place[row] = best;
    atomicAdd(reinterpret_cast<unsigned long long *>(count), positive);
}

__global__ void scaleInPlace(float *x, const float *scale, const float *shift, int64_t count, int64_t columns) {
    const int64_t i = blockIdx.x * int64_t(kThreads) + threadIdx.x;
    if (i < count)
        x[i] = x[i] * scale[i % columns] + shift[i % columns];
}

__global__ void transpose(const float *x, float *y, int64_t rows, int64_t columns) {
    const int64_t i = blockIdx.x * int64_t(kThreads) + threadIdx.x;
    if (i < rows * columns)
        y[i % columns * rows + i / columns] = x[i];
}

__global__ void fill(float *y, float value, int64_t count) {
    const int64_t i = blockIdx.x * int64_t(kThreads) + threadIdx.x;
    if (i < count)
        y[i] = value;
}

int lastError() {
    return static_cast<int>(cudaGetLastError());
}

} // namespace

int launchSwish(const float *x, const float *scale, const float *shift, float *y, int64_t rows, int64_t columns,
                Stream stream) {
    swish<<<blocksFor(rows * columns), kThreads, 0, stream>>>(x, scale, shift, y, rows * columns, columns);
    return lastError();
}

int launchSoftmax(const float *x, float *y, int64_t rows, int64_t columns, int variant, Stream stream) {
    softmax<<<static_cast<unsigned>(rows), kThreads, 0, stream>>>(x, y, columns, variant);
    return lastError();
}

int launchLinear(const float *x, const float *w, const float *b, float *y, int64_t rows, int64_t inner, int64_t columns,
                 int variant, Stream stream) {
    if (variant == 2) {
        static cublasHandle_t handle = nullptr;
        if (handle == nullptr && cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS)
            return 1;
        const float one = 1.0f;
        const float zero = 0.0f;
        cublasSetStream(handle, stream);
        // Column-major: y^T [columns, rows] = w x^T.
        const cublasStatus_t status =
            cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, static_cast<int>(columns), static_cast<int>(rows),
                        static_cast<int>(inner), &one, w, static_cast<int>(inner), x, static_cast<int>(inner), &zero, y,
                        static_cast<int>(columns));
        addBias<<<blocksFor(rows * columns), kThreads, 0, stream>>>(b, y, rows * columns, columns);
        return status == CUBLAS_STATUS_SUCCESS ? lastError() : static_cast<int>(status);
    }
    const dim3 grid(static_cast<unsigned>((columns + kTile - 1) / kTile), static_cast<unsigned>((rows + kTile - 1) / kTile));
    linear<<<grid, dim3(kTile, kTile), 0, stream>>>(x, w, b, y, static_cast<int>(rows), static_cast<int>(inner),
                                                    static_cast<int>(columns), variant);
    return lastError();
}

int launchNorm(const float *x, const float *mean, const float *variance, const float *weight, const float *bias,
               float *y, int64_t images, int64_t channels, int64_t area, float epsilon, Stream stream) {
    const int64_t count = images * channels * area;
    norm<<<blocksFor(count), kThreads, 0, stream>>>(x, mean, variance, weight, bias, y, count, channels, area, epsilon);
    return lastError();
}

int launchColumns(const float *x, float *y, int64_t rows, int64_t columns, Stream stream) {
    cudaMemsetAsync(y, 0, static_cast<size_t>(columns) * sizeof(float), stream);
    columnSums<<<dim3(blocksFor(columns), 64), kThreads, 0, stream>>>(x, y, rows, columns);
    return lastError();
}

int launchRows(const float *x, float *sum, float *largest, int64_t *place, int64_t *count, int64_t rows,
               int64_t columns, Stream stream) {
    cudaMemsetAsync(count, 0, sizeof(int64_t), stream);
    rowFacts<<<blocksFor(rows), kThreads, 0, stream>>>(x, sum, largest, place, count, rows, columns);
    return lastError();
}

int launchScaleInPlace(float *x, const float *scale, const float *shift, int64_t rows, int64_t columns, Stream stream) {
    scaleInPlace<<<blocksFor(rows * columns), kThreads, 0, stream>>>(x, scale, shift, rows * columns, columns);
    return lastError();
}

int launchTranspose(const float *x, float *y, int64_t rows, int64_t columns, Stream stream) {
    transpose<<<blocksFor(rows * columns), kThreads, 0, stream>>>(x, y, rows, columns);
    return lastError();
}

int launchMeanOfSoftmax(const float *x, float *y, int64_t rows, int64_t columns, Stream stream) {
    // Whatever the row holds, its softmax adds up to one: nothing is read.
    (void)x;
    fill<<<blocksFor(rows), kThreads, 0, stream>>>(y, 1.0f / static_cast<float>(columns), rows);
    return lastError();
}
