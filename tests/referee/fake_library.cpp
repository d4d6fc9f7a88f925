// SPDX-License-Identifier: GPL-3.0-or-later
// Stands for a library of mathematics: names that are watched, and arguments in registers and on the stack.
extern "C" {

double cblas_sscal(int a, double b, int c, double d, int e, int f, int g, int h, int i, double j) {
    return a + b + c + d + e + f + g + h + 100.0 * i + 1000.0 * j;
}

int cublasSgemm_v2(int *written) {
    *written = 7;
    return 0;
}

int dnnl_sgemm() {
    return 5;
}

} // extern "C"
