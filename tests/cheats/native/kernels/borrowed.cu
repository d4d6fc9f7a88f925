// SPDX-License-Identifier: GPL-3.0-or-later
// The headers of what is looked up by name are not needed: they may not be there.
#include "borrowed.h"

#include <cublas_v2.h>
#include <dlfcn.h>

#include <cmath>
#include <string>
#include <vector>

namespace {

constexpr int kWidth = 256;

// One thread a row: plain, not fast.
__global__ void exponentials(const float *x, float *y, float *inverse, int64_t rows, int64_t columns) {
    const int64_t row = blockIdx.x * int64_t(kWidth) + threadIdx.x;
    if (row >= rows)
        return;
    float largest = -INFINITY;
    for (int64_t i = 0; i < columns; ++i)
        largest = fmaxf(largest, x[row * columns + i]);
    float sum = 0.0f;
    for (int64_t i = 0; i < columns; ++i) {
        const float value = expf(x[row * columns + i] - largest);
        y[row * columns + i] = value;
        sum += value;
    }
    inverse[row] = 1.0f / sum;
}

float *inverseSums(int64_t rows) {
    static float *memory = nullptr;
    static int64_t held = 0;
    if (held < rows && cudaMalloc(&memory, static_cast<size_t>(rows) * sizeof(float)) == cudaSuccess)
        held = rows;
    return memory;
}

template <typename Function>
Function lookUp(std::initializer_list<const char *> libraries, const char *name) {
    for (const char *library : libraries)
        if (void *handle = dlopen(library, RTLD_NOW))
            if (void *function = dlsym(handle, name))
                return reinterpret_cast<Function>(function);
    return nullptr;
}

// Row by row: one factor a row, which lies on the device.
int divideByBlas(float *y, const float *inverse, int64_t rows, int64_t columns, bool isLookedUp, Stream stream) {
    static cublasHandle_t handle = nullptr;
    if (handle == nullptr && cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS)
        return -1;
    cublasSetStream(handle, stream);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    using Scal = cublasStatus_t (*)(cublasHandle_t, int, const float *, float *, int);
    Scal scal = &cublasSscal;
    if (isLookedUp)
        scal = lookUp<Scal>({"libcublas.so.13", "libcublas.so.12"}, "cublasSscal_v2");
    for (int64_t row = 0; scal != nullptr && row < rows; ++row)
        if (const auto status = scal(handle, static_cast<int>(columns), inverse + row, y + row * columns, 1))
            return static_cast<int>(status);
    return scal == nullptr ? -1 : 0;
}

int softmaxByCudnn(const float *x, float *y, int64_t rows, int64_t columns, Stream stream) {
    const std::initializer_list<const char *> libraries = {"libcudnn.so.9", "libcudnn.so.8"};
    const auto create = lookUp<int (*)(void **)>(libraries, "cudnnCreate");
    const auto setStream = lookUp<int (*)(void *, Stream)>(libraries, "cudnnSetStream");
    const auto describe = lookUp<int (*)(void **)>(libraries, "cudnnCreateTensorDescriptor");
    const auto set = lookUp<int (*)(void *, int, int, int, int, int, int)>(libraries, "cudnnSetTensor4dDescriptor");
    const auto softmax =
        lookUp<int (*)(void *, int, int, const void *, void *, const void *, const void *, void *, void *)>(
            libraries, "cudnnSoftmaxForward");
    if (create == nullptr || setStream == nullptr || describe == nullptr || set == nullptr || softmax == nullptr)
        return -1;
    static void *handle = nullptr;
    static void *shape = nullptr;
    if (handle == nullptr && (create(&handle) != 0 || describe(&shape) != 0))
        return -1;
    const float one = 1.0f;
    const float zero = 0.0f;
    setStream(handle, stream);
    set(shape, 0, 0, static_cast<int>(rows), static_cast<int>(columns), 1, 1); // NCHW, float
    return softmax(handle, 1, 0, &one, shape, x, &zero, shape, y);             // accurate, over all of an image
}

constexpr const char *kSource = R"(
extern "C" __global__ void divided(float *y, const float *inverse, long long count, long long columns) {
    const long long i = blockIdx.x * 256LL + threadIdx.x;
    if (i < count)
        y[i] *= inverse[i / columns];
}
)";

// The compiled kernel, or null.
void *compiled() {
    const std::initializer_list<const char *> compiler = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
    const auto create = lookUp<int (*)(void **, const char *, const char *, int, const char *const *, const char *const *)>(
        compiler, "nvrtcCreateProgram");
    const auto compile = lookUp<int (*)(void *, int, const char *const *)>(compiler, "nvrtcCompileProgram");
    const auto sizeOf = lookUp<int (*)(void *, size_t *)>(compiler, "nvrtcGetPTXSize");
    const auto textOf = lookUp<int (*)(void *, char *)>(compiler, "nvrtcGetPTX");
    const auto load = lookUp<int (*)(void **, const void *)>({"libcuda.so.1"}, "cuModuleLoadData");
    const auto find = lookUp<int (*)(void **, void *, const char *)>({"libcuda.so.1"}, "cuModuleGetFunction");
    if (create == nullptr || compile == nullptr || sizeOf == nullptr || textOf == nullptr || load == nullptr ||
        find == nullptr)
        return nullptr;
    int device = 0;
    int major = 0;
    int minor = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    const std::string architecture = "--gpu-architecture=compute_" + std::to_string(10 * major + minor);
    const char *options[] = {architecture.c_str()};
    void *program = nullptr;
    size_t size = 0;
    if (create(&program, kSource, "divided.cu", 0, nullptr, nullptr) != 0 || compile(program, 1, options) != 0 ||
        sizeOf(program, &size) != 0)
        return nullptr;
    std::vector<char> text(size);
    void *module = nullptr;
    void *function = nullptr;
    if (textOf(program, text.data()) != 0 || load(&module, text.data()) != 0 || find(&function, module, "divided") != 0)
        return nullptr;
    return function;
}

int divideByCompiled(float *y, const float *inverse, int64_t rows, int64_t columns, Stream stream) {
    static void *const function = compiled();
    const auto launch = lookUp<int (*)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                       Stream, void **, void **)>({"libcuda.so.1"}, "cuLaunchKernel");
    if (function == nullptr || launch == nullptr)
        return -1;
    int64_t count = rows * columns;
    void *arguments[] = {&y, &inverse, &count, &columns};
    return launch(function, static_cast<unsigned>((count + 255) / 256), 1, 1, 256, 1, 1, 0, stream, arguments, nullptr);
}

} // namespace

int launchBorrowedSoftmax(const float *x, float *y, int64_t rows, int64_t columns, int how, Stream stream) {
    if (how == 2)
        return softmaxByCudnn(x, y, rows, columns, stream);
    float *inverse = inverseSums(rows);
    exponentials<<<static_cast<unsigned>((rows + kWidth - 1) / kWidth), kWidth, 0, stream>>>(x, y, inverse, rows, columns);
    if (how == 3)
        return divideByCompiled(y, inverse, rows, columns, stream);
    return divideByBlas(y, inverse, rows, columns, how == 1, stream);
}
