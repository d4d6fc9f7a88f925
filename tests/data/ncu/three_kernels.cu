#include <cstdio>
#include <cuda_runtime.h>
#include <cuda_profiler_api.h>
__global__ void copy4(const float4 *__restrict__ x, float4 *__restrict__ y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
__global__ void strided(const float *__restrict__ x, float *__restrict__ y, int rows, int cols) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) { int r = i % rows, c = i / rows; y[r * cols + c] = 2.f * x[r * cols + c]; }
}
template <int N> __global__ void banks(const float *__restrict__ x, float *__restrict__ y) {
    __shared__ float t[32][N];
    int tx = threadIdx.x, ty = threadIdx.y;
    for (int k = 0; k < 64; ++k) {
        t[ty][tx] = x[(blockIdx.x * 32 + ty) * 32 + tx] + k;
        __syncthreads();
        y[(blockIdx.x * 32 + ty) * 32 + tx] = t[tx][ty];
        __syncthreads();
    }
}
int main() {
    const int n = 1 << 24;
    float *x, *y;
    cudaMalloc(&x, n * 4); cudaMalloc(&y, n * 4);
    cudaMemset(x, 0, n * 4);
    copy4<<<n / 4 / 256, 256>>>((float4 *)x, (float4 *)y, n / 4);
    cudaDeviceSynchronize();
    cudaProfilerStart();
    copy4<<<n / 4 / 256, 256>>>((float4 *)x, (float4 *)y, n / 4);
    strided<<<n / 256, 256>>>(x, y, 4096, 4096);
    banks<32><<<2048, dim3(32, 32)>>>(x, y);
    cudaProfilerStop();
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
