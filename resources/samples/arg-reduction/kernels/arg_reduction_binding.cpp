// SPDX-License-Identifier: GPL-3.0-or-later
// From Python to the launcher: check what the kernel takes for granted, allocate, launch.
#include "../binding_registry.h"

using namespace binding;

#ifdef WARPWRIGHT_CPU
extern "C" void launchArgReduction(const float *x, long long *index, int rows, int columns, int config);
#else
extern "C" void launchArgReduction(const float *x, long long *index, int rows, int columns, int config,
                                   cudaStream_t stream);
#endif

namespace {

Tensor argReduction(const Tensor &x, int config) {
    STD_TORCH_CHECK(x.dim() == 2 && x.scalar_type() == ScalarType::Float && x.is_contiguous(),
                "arg_reduction takes a contiguous float32 matrix");
    STD_TORCH_CHECK(x.size(1) % 4 == 0 && x.size(1) <= 8192,
                "arg_reduction takes up to 8192 columns, a multiple of 4");
    Tensor index = newEmpty(x, {x.size(0)}, ScalarType::Long);
    const int rows = static_cast<int>(x.size(0));
    const int columns = static_cast<int>(x.size(1));
#ifdef WARPWRIGHT_CPU
    launchArgReduction(x.const_data_ptr<float>(),
                       reinterpret_cast<long long *>(index.mutable_data_ptr<std::int64_t>()), rows, columns,
                       config);
#else
    const DeviceGuard guard(x);
    launchArgReduction(x.const_data_ptr<float>(),
                       reinterpret_cast<long long *>(index.mutable_data_ptr<std::int64_t>()), rows, columns,
                       config, currentStream(x));
    checkLaunch(); // A refused launch is silent otherwise.
#endif
    return index;
}

} // namespace

REGISTER_FUNCTION(arg_reduction, argReduction, "index of the largest element of each row");
