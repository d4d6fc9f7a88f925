// SPDX-License-Identifier: GPL-3.0-or-later
// Stands for a candidate's extension: calls the library directly, through a pointer in its data, and by name.
#include <dlfcn.h>

extern "C" {

double cblas_sscal(int a, double b, int c, double d, int e, int f, int g, int h, int i, double j);
int cublasSgemm_v2(int *written);
int dnnl_sgemm();

double callDirectly() {
    return cblas_sscal(1, 2.0, 3, 4.0, 5, 6, 7, 8, 9, 10.0);
}

int multiply() {
    int written = 0;
    cublasSgemm_v2(&written);
    return written;
}

int (*const pointers[])() = {&dnnl_sgemm, &multiply};
int callByPointer(int place) {
    return pointers[place]();
}

double callByName(void *library) {
    const auto scal = reinterpret_cast<decltype(&cblas_sscal)>(dlsym(library, "cblas_sscal"));
    return scal == nullptr ? -1.0 : scal(1, 2.0, 3, 4.0, 5, 6, 7, 8, 9, 10.0);
}

// Python loads extensions so that nobody else sees their names: only who asks from here finds this.
void *lookUpOwn() {
    return dlsym(RTLD_DEFAULT, "multiply");
}

} // extern "C"
