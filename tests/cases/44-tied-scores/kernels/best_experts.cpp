// SPDX-License-Identifier: GPL-3.0-or-later
// Of equal scores the expert with the lower number wins, as production routers define it.
#include <cmath>
#include <cstdint>
#include <cstring>

static inline float wide(std::uint16_t h) {
    const std::uint32_t word = std::uint32_t(h) << 16;
    float value;
    std::memcpy(&value, &word, sizeof value);
    return value;
}

extern "C" void launchBestExperts(const void *logits, float *weights, std::int64_t *places, int tokens,
                                  int experts, int kept) {
    const auto *scores = static_cast<const std::uint16_t *>(logits);
#pragma omp parallel for schedule(static)
    for (int t = 0; t < tokens; ++t) {
        float *w = weights + std::int64_t(t) * kept;
        std::int64_t *p = places + std::int64_t(t) * kept;
        for (int k = 0; k < kept; ++k) {
            float best = -INFINITY;
            std::int64_t at = -1;
            for (int e = 0; e < experts; ++e) {
                bool taken = false;
                for (int j = 0; j < k; ++j)
                    taken = taken || p[j] == e;
                const float s = wide(scores[std::int64_t(t) * experts + e]);
                if (!taken && (at < 0 || s > best)) {
                    best = s;
                    at = e;
                }
            }
            w[k] = best;
            p[k] = at;
        }
        float sum = 0.0f;
        const float top = w[0];
        for (int k = 0; k < kept; ++k)
            sum += w[k] = std::exp(w[k] - top);
        for (int k = 0; k < kept; ++k)
            w[k] /= sum;
    }
}
