// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchBestExperts(const void *logits, float *weights, std::int64_t *places, int tokens,
                                  int experts, int kept);

static std::tuple<Tensor, Tensor> bestExperts(const Tensor &logits, int kept) {
    STD_TORCH_CHECK(logits.scalar_type() == ScalarType::BFloat16 && logits.is_contiguous(),
                    "contiguous bfloat16 scores");
    Tensor weights = newEmpty(logits, {logits.size(0), kept}, ScalarType::Float);
    Tensor places = newEmpty(logits, {logits.size(0), kept}, ScalarType::Long);
    launchBestExperts(logits.const_data_ptr(), weights.mutable_data_ptr<float>(),
                      places.mutable_data_ptr<std::int64_t>(), int(logits.size(0)), int(logits.size(1)),
                      kept);
    return {weights, places};
}

REGISTER_FUNCTION(best_experts, bestExperts, "the largest scores of each row and where they are");
