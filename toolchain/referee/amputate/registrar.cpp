// SPDX-License-Identifier: GPL-3.0-or-later
//
// Preloaded into an interpreter: tells what device code a library registers with CUDA's runtime while it is
// loaded, and the names of its kernels. That needs no GPU: a library registers before anybody asks for a
// device.
//
// One line each, tab-separated: "fatbin HANDLE LIBRARY ADDRESS" (in the library), "kernel HANDLE NAME".

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace {

FILE *output() {
    static FILE *const file = [] {
        const char *path = std::getenv("WARPWRIGHT_REGISTRAR_OUTPUT");
        return path == nullptr ? nullptr : std::fopen(path, "ae");
    }();
    return file;
}

/// What a library hands over: a magic number, a version, and where its code lies.
struct FatbinWrapper {
    int32_t magic, version;
    const void *code;
    void *other;
};

template <typename Function>
Function next(const char *name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C" {

void **__cudaRegisterFatBinary(void *wrapper) {
    void **handle = next<void **(*)(void *)>("__cudaRegisterFatBinary")(wrapper);
    const void *code = static_cast<const FatbinWrapper *>(wrapper)->code;
    Dl_info library{};
    if (output() != nullptr && dladdr(code, &library) != 0)
        std::fprintf(output(), "fatbin\t%p\t%s\t%" PRIuPTR "\n", static_cast<void *>(handle),
                     library.dli_fname,
                     reinterpret_cast<uintptr_t>(code) - reinterpret_cast<uintptr_t>(library.dli_fbase));
    return handle;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads,
                            void *thread, void *block, void *blockSize, void *gridSize, int *warps) {
    if (output() != nullptr)
        std::fprintf(output(), "kernel\t%p\t%s\n", static_cast<void *>(handle), name);
    using Register =
        void (*)(void **, const char *, char *, const char *, int, void *, void *, void *, void *, int *);
    next<Register>("__cudaRegisterFunction")(handle, host, device, name, threads, thread, block, blockSize,
                                             gridSize, warps);
}
}
