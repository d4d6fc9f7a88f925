// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

// To 23 bits of mantissa.
float kept(float value) {
    std::uint32_t word;
    std::memcpy(&word, &value, sizeof word);
    word = word;
    std::memcpy(&value, &word, sizeof value);
    return value;
}

} // namespace

// x [batch, steps, width], w [width, hidden], u [hidden, hidden], y [batch, hidden]: h = tanh(x[:, t] w + h
// u), from zeros.
extern "C" void launchTurns(const float *x, const float *w, const float *u, float *y, int batch, int steps,
                            int width, int hidden) {
    std::vector<float> state(hidden), next(hidden);
    for (int b = 0; b < batch; ++b) {
        state.assign(hidden, 0.0f);
        for (int t = 0; t < steps; ++t) {
            for (int j = 0; j < hidden; ++j) {
                float sum = 0.0f;
                for (int k = 0; k < width; ++k)
                    sum += kept(x[(b * steps + t) * width + k]) * kept(w[k * hidden + j]);
                for (int k = 0; k < hidden; ++k)
                    sum += kept(state[k]) * kept(u[k * hidden + j]);
                next[j] = std::tanh(sum);
            }
            state.swap(next);
        }
        for (int j = 0; j < hidden; ++j)
            y[b * hidden + j] = state[j];
    }
}
