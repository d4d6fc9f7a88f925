// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counts the calls that a candidate's extension makes to libraries of mathematics and to what loads code,
// through its table of addresses, its pointers and its own dlsym.
//
// Evidence, not proof: this runs in the candidate's process, which can undo it. What runs while the extension
// is being loaded is not seen. What a function is allowed for is the judge's business (library_rules.h).

#include "referee/worker/call_stubs.h"
#include "referee/worker/module_slots.h"

#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <map>
#include <mutex>

namespace {

using warpwright::CallStub;
using warpwright::ModuleSlot;

struct Watched {
    std::string name;
    CallStub stub;
    void *honest;
};

struct Watch {
    std::mutex mutex;
    std::deque<Watched> functions; // names are handed out: they stay where they are
    std::string extension;
    bool canWatch = true;
};

// Never destroyed: threads of a candidate may call until the process ends.
Watch &watch() {
    static Watch *const instance = new Watch;
    return *instance;
}

bool startsWith(const char *name, const char *prefix) {
    return std::strncmp(name, prefix, std::strlen(prefix)) == 0;
}

// sgemm_, isamax_, sgemm_64_: a Fortran name is short, small and ends with an underscore.
bool isFortran(const char *name) {
    const size_t length = std::strlen(name);
    if (length < 5 || length > 14 || std::strchr("sdczi", name[0]) == nullptr || name[length - 1] != '_')
        return false;
    return std::strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789") == length - 1 ||
           std::strcmp(name + length - 4, "_64_") == 0;
}

// vsExp, vmdTanh: MKL's functions of vectors, which some builds of torch export.
bool isVectorMath(const char *name) {
    if (name[0] != 'v')
        return false;
    const char *type = name + (name[1] == 'm' ? 2 : 1);
    return *type != '\0' && std::strchr("sdcz", *type) != nullptr && type[1] >= 'A' && type[1] <= 'Z';
}

bool isWatched(const char *name) {
    for (const char *prefix : {"cublas",       "cudnn",
                               "cusparse",     "cufft",
                               "cusolver",     "cutensor",
                               "npp",          "nvrtc",
                               "nvJitLink",    "nvPTXCompiler",
                               "cuModuleLoad", "cuLibraryLoad",
                               "cuLink",       "cudaLibraryLoad",
                               "cblas_",       "LAPACKE_",
                               "dnnl_",        "mkl_",
                               "MKL_",         "Dfti",
                               "_ZN4dnnl",     "_ZN2at6native",
                               "_ZN2at3cpu"})
        if (startsWith(name, prefix))
            return true;
    // at::cuda has streams and handles as well; what computes takes tensors.
    return isFortran(name) || isVectorMath(name) ||
           (startsWith(name, "_ZN2at4cuda") && std::strstr(name, "6Tensor") != nullptr);
}

// Under the lock. Null where no stub is to be had.
Watched *entryFor(const std::string &name, void *honest) {
    for (Watched &known : watch().functions)
        if (known.name == name && known.honest == honest)
            return &known;
    const auto stub = warpwright::makeCallStub(honest);
    watch().canWatch = watch().canWatch && stub.has_value();
    return stub ? &watch().functions.emplace_back(Watched{name, *stub, honest}) : nullptr;
}

void *watchedAddress(const char *name, void *honest);

// ---- functions that hand out functions, and one whose first argument says what is made

#if defined(__clang__)
#define TAIL __attribute__((musttail))
#define KEEPS_CALLER
#else
#define TAIL
#define KEEPS_CALLER __attribute__((optimize("O2")))
#endif

void *findWatched(void *handle, const char *name) {
    void *honest = nullptr;
    if (handle == RTLD_DEFAULT || handle == RTLD_NEXT) {
        // Both depend on who asks, and here it is not the extension: look where it would.
        if (void *own = dlopen(watch().extension.c_str(), RTLD_LAZY | RTLD_NOLOAD)) {
            honest = dlsym(own, name);
            dlclose(own);
        }
        if (honest == nullptr)
            honest = dlsym(RTLD_DEFAULT, name);
    } else {
        honest = dlsym(handle, name);
    }
    return honest == nullptr ? nullptr : watchedAddress(name, honest);
}

// Other names go on to dlsym by a jump, so that it sees who asked.
KEEPS_CALLER void *watchedDlsym(void *handle, const char *name) {
    if (name != nullptr && (isWatched(name) || std::strstr(name, "GetProcAddress") != nullptr ||
                            std::strstr(name, "GetDriverEntryPoint") != nullptr))
        return findWatched(handle, name);
    TAIL return dlsym(handle, name);
}

// Their first two arguments are the same, and one more than a function has does no harm.
using EntryPoint = int (*)(const char *, void **, long, long, long);
constexpr const char *entryPoints[] = {
    "cudaGetDriverEntryPoint",
    "cudaGetDriverEntryPoint_ptsz",
    "cudaGetDriverEntryPointByVersion",
    "cudaGetDriverEntryPointByVersion_ptsz",
    "cuGetProcAddress",
    "cuGetProcAddress_v2",
};
EntryPoint honestEntryPoints[std::size(entryPoints)];

template <size_t Place>
int watchedEntryPoint(const char *name, void **function, long a, long b, long c) {
    const int result = honestEntryPoints[Place](name, function, a, b, c);
    if (result == 0 && name != nullptr && function != nullptr && *function != nullptr)
        *function = watchedAddress(name, *function);
    return result;
}

constexpr EntryPoint watchedEntryPoints[] = {watchedEntryPoint<0>, watchedEntryPoint<1>,
                                             watchedEntryPoint<2>, watchedEntryPoint<3>,
                                             watchedEntryPoint<4>, watchedEntryPoint<5>};

// cuDNN's graphs: what is made is a number.
using MakeDescriptor = int (*)(int, void **);
MakeDescriptor honestMakeDescriptor = nullptr;

int watchedMakeDescriptor(int kind, void **descriptor) {
    {
        const std::lock_guard lock(watch().mutex);
        if (Watched *entry = entryFor("cudnnBackendCreateDescriptor:" + std::to_string(kind), nullptr))
            ++*entry->stub.calls;
    }
    return honestMakeDescriptor(kind, descriptor);
}

// What is to be called instead of `honest`: itself, where the name is none that is looked at.
void *watchedAddress(const char *name, void *honest) {
    if (std::strcmp(name, "dlsym") == 0)
        return reinterpret_cast<void *>(&watchedDlsym);
    for (size_t place = 0; place < std::size(entryPoints); ++place) {
        if (std::strcmp(name, entryPoints[place]) != 0)
            continue;
        honestEntryPoints[place] = reinterpret_cast<EntryPoint>(honest);
        return reinterpret_cast<void *>(watchedEntryPoints[place]);
    }
    if (std::strcmp(name, "cudnnBackendCreateDescriptor") == 0) {
        honestMakeDescriptor = reinterpret_cast<MakeDescriptor>(honest);
        return reinterpret_cast<void *>(&watchedMakeDescriptor);
    }
    if (!isWatched(name))
        return honest;
    const std::lock_guard lock(watch().mutex);
    const Watched *entry = entryFor(name, honest);
    return entry == nullptr ? honest : entry->stub.entry;
}

// For functions that return a status, where 0 is success, or nothing.
extern "C" long swallowLibraryCall() {
    return 0;
}

bool isFunction(const ModuleSlot &slot) {
    const auto type = ELF64_ST_TYPE(slot.symbol->st_info);
    return slot.isImported() && (type == STT_FUNC || type == STT_NOTYPE || type == STT_GNU_IFUNC);
}

} // namespace

extern "C" {

/// From now on calls of the library that was loaded from `path` are counted. 0, or -1: not on this processor.
/// The first one is the extension; later ones (Python's ctypes) are for what they look up.
int ww_watch_libraries(const char *path) {
    if (watch().extension.empty())
        watch().extension = path;
    watch().canWatch = watch().canWatch && warpwright::makeCallStub(nullptr).has_value();
    for (const ModuleSlot &slot : warpwright::slotsOf(path)) {
        if (!isFunction(slot))
            continue;
        if (void *other = watchedAddress(slot.name, *slot.address); other != *slot.address)
            warpwright::writeSlot(slot.address, other);
    }
    return watch().canWatch ? 0 : -1;
}

/// The function of this number and its calls so far; null after the last one.
const char *ww_library_function(uint32_t number, uint64_t *calls) {
    const std::lock_guard lock(watch().mutex);
    if (number >= watch().functions.size())
        return nullptr;
    const Watched &function = watch().functions[number];
    *calls = *static_cast<const volatile uint64_t *>(function.stub.calls);
    return function.name.c_str();
}

/// Calls of the function `name` do nothing from now on.
void ww_knock_out_library(const char *name) {
    const std::lock_guard lock(watch().mutex);
    for (const Watched &function : watch().functions)
        if (function.name == name)
            *function.stub.target = reinterpret_cast<void *>(&swallowLibraryCall);
}

/// All functions do their work again.
void ww_put_back_libraries() {
    const std::lock_guard lock(watch().mutex);
    for (const Watched &function : watch().functions)
        *function.stub.target = function.honest;
}

} // extern "C"
