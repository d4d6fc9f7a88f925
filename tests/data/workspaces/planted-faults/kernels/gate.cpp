// SPDX-License-Identifier: GPL-3.0-or-later
// One fault at a time: the test writes its number here.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

constexpr int fault = 0;

extern "C" void launchGate(const float *x, const float *scale, float *y, int rows, int channels) {
    static std::vector<float> before;
    static int calls = 0;
    const auto at = [&](int row, int c) { return static_cast<std::size_t>(row) * channels + c; };
    const auto right = [&](int row, int c) { return scale[c] / (1.0f + std::exp(-x[at(row, c)])); };
    std::vector<float> now(at(rows, 0));
    for (int row = 0; row < rows; ++row)
        for (int c = 0; c < channels; ++c)
            now[at(row, c)] = right(row, c);
    ++calls;
    for (int row = 0; row < rows; ++row) {
        for (int c = 0; c < channels; ++c) {
            float value = now[at(row, c)];
            std::size_t place = at(row, c);
            const float off = value + 0.25f;
            switch (fault) {
            case 1: // behind the last whole tile of 64 rows
                value = row >= 448 ? off : value;
                break;
            case 2: // the last four rows of each tile
                value = row % 64 >= 60 ? off : value;
                break;
            case 3: // one lane of a warp
                value = c % 32 == 31 ? off : value;
                break;
            case 4: // one index of the first dimension
                value = row == 3 ? off : value;
                break;
            case 5:
                value = row >= 64 && row < 128 && c >= 128 && c < 256 ? std::numeric_limits<float>::quiet_NaN() : value;
                break;
            case 6:
                value = 0.0f;
                break;
            case 7: // written in the other order
                place = static_cast<std::size_t>(c) * rows + row;
                break;
            case 8: // the neighbour's
                value = c > 0 ? now[at(row, c - 1)] : value;
                break;
            case 9: // what the call before gave
                value = row >= 256 && calls > 2 ? before[at(row, c)] : value;
                break;
            case 10: // left as the memory was
                if (c >= 256)
                    continue;
                break;
            case 11: // chance, and by other amounts
                value += (static_cast<std::uint32_t>(place) * 2654435761u >> 16) % 20 == 0 ? 0.1f + 0.02f * (place % 7) : 0.0f;
                break;
            default:
                break;
            }
            y[place] = value;
        }
    }
    before = now;
}
