// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchClassLoss(const float *logits, const float *bias, const std::int64_t *labels,
                                float *loss, int rows, int classes);

static Tensor class_loss(const Tensor &logits, const Tensor &bias, const Tensor &labels) {
    Tensor loss = newEmpty(logits, {logits.size(0)}, ScalarType::Float);
    launchClassLoss(logits.const_data_ptr<float>(), bias.const_data_ptr<float>(),
                    labels.const_data_ptr<std::int64_t>(), loss.mutable_data_ptr<float>(),
                    int(logits.size(0)), int(logits.size(1)));
    return loss;
}

REGISTER_FUNCTION(class_loss, class_loss, "class loss");
