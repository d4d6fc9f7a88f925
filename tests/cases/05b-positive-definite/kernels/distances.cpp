// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>
#include <vector>

extern "C" void launchDistances(const float *x, const float *covariance, float *y, int rows, int n) {
    std::vector<double> l(std::size_t(n) * n, 0.0), z(n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) {
            double s = covariance[i * n + j];
            for (int k = 0; k < j; ++k)
                s -= l[i * n + k] * l[j * n + k];
            l[i * n + j] = i == j ? std::sqrt(s) : s / l[j * n + j];
        }
    for (int r = 0; r < rows; ++r) {
        double sum = 0.0;
        for (int i = 0; i < n; ++i) {
            z[i] = x[r * n + i];
            for (int k = 0; k < i; ++k)
                z[i] -= l[i * n + k] * z[k];
            z[i] /= l[i * n + i];
            sum += z[i] * z[i];
        }
        y[r] = float(sum);
    }
}
