// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchBatchNormRelu(const float *x, const float *weight, const float *bias, float *y,
                                    float eps, int batch, int channels, int inner);

namespace {

Tensor batchNormRelu(const Tensor &x, const Tensor &weight, const Tensor &bias, float eps) {
    STD_TORCH_CHECK(x.dim() == 4 && x.scalar_type() == ScalarType::Float && x.is_contiguous(),
                    "a contiguous float32 image batch");
    Tensor y = emptyLike(x);
    launchBatchNormRelu(x.const_data_ptr<float>(), weight.const_data_ptr<float>(),
                        bias.const_data_ptr<float>(), y.mutable_data_ptr<float>(), eps, int(x.size(0)),
                        int(x.size(1)), int(x.size(2) * x.size(3)));
    return y;
}

} // namespace

REGISTER_FUNCTION(batch_norm_relu, batchNormRelu, "relu(batch norm with the statistics of the batch)");
