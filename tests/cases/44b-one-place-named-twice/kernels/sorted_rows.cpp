// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

extern "C" void launchSortedRows(const float *x, const float *levels, float *values, std::int64_t *places,
                                 int rows, int width) {
    for (int r = 0; r < rows; ++r) {
        float *v = values + r * width;
        std::int64_t *p = places + r * width;
        std::vector<std::pair<float, int>> row;
        for (int c = 0; c < width; ++c)
            row.emplace_back(-std::nearbyint(x[r * width + c] * *levels), c);
        std::sort(row.begin(), row.end());
        for (int c = 0; c < width; ++c) {
            v[c] = -row[c].first;
            p[c] = c > 0 && v[c] == v[c - 1] ? p[c - 1] : row[c].second;
        }
    }
}
