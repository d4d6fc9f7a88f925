// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/amputate/trap_plan.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <unordered_set>

namespace warpwright {

namespace {

bool holds(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// Whether a mangled name has this identifier: its length stands before it.
bool holdsIdentifier(std::string_view name, std::string_view identifier) {
    for (size_t at = name.find(identifier); at != std::string_view::npos;
         at = name.find(identifier, at + 1)) {
        uint64_t length = 0;
        uint64_t power = 1;
        for (size_t digit = at; digit > 0 && std::isdigit(static_cast<unsigned char>(name[digit - 1]));
             --digit) {
            length += power * static_cast<uint64_t>(name[digit - 1] - '0');
            power *= 10;
        }
        if (length == identifier.size())
            return true;
    }
    return false;
}

template <size_t count>
bool startsWithOne(std::string_view name, const std::array<const char *, count> &words) {
    return std::any_of(words.begin(), words.end(), [&](const char *word) { return name.starts_with(word); });
}

template <size_t count>
bool holdsOneIdentifier(std::string_view name, const std::array<const char *, count> &words) {
    return std::any_of(words.begin(), words.end(),
                       [&](const char *word) { return holdsIdentifier(name, word); });
}

// BLAS within MKL: products are what a task's rules allow, so they stay, and what only scales or sums does
// not.
bool isBlasArithmetic(std::string_view name) {
    static constexpr std::array words = {"scal", "axpy", "axpby", "nrm2", "asum",
                                         "amax", "amin", "rot",   "trsm", "trsv"};
    return !holds(name, "gemm") && std::any_of(words.begin(), words.end(), [&](const char *word) {
        for (size_t at = name.find(word); at != std::string_view::npos && at > 0;
             at = name.find(word, at + 1)) {
            if (std::string_view("sdcz").find(name[at - 1]) != std::string_view::npos)
                return true;
        }
        return false;
    });
}

bool isOfKernelLibrary(std::string_view name) {
    static constexpr std::array namespaces = {"dnnl", "ideep", "fbgemm", "fbgemm_gpu", "pocketfft",
                                              // torch's interpreter of loops
                                              "SimpleIREvaluator", "SimpleIREvaluatorImpl"};
    static constexpr std::array starts = {
        "dnnl_",       "xnn_",        "pytorch_q", "nnp_",          "mkl_dft_", "mkl_spblas_", "mkl_vml_",
        "mkl_lapack_", "mkl_sparse_", "owngDFT",   "smallradixDFT", "xbsr_",    "xcsr_"};
    if (name.starts_with("mkl_blas_"))
        return isBlasArithmetic(name);
    // MKL asks the processor, and hands out memory, for products too.
    if (holds(name, "_serv_"))
        return false;
    return name.starts_with("_Z") ? holdsOneIdentifier(name, namespaces) : startsWithOne(name, starts);
}

bool isTorchKernel(std::string_view name) {
    // Where a file is compiled once for each kind of processor, all of it stands in a namespace of that name.
    static constexpr std::array capabilities = {"DEFAULT", "AVX2", "AVX512", "VSX", "ZVECTOR", "SVE256"};
    return holds(name, "2at6native") || holds(name, "2at4cuda4blas") || holds(name, "2at4cuda6solver") ||
           holds(name, "2at4cuda6sparse") || holdsOneIdentifier(name, capabilities);
}

bool isMovement(std::string_view name) {
    static constexpr std::array families = {
        "copy_kernel", "direct_copy_kernel", "reduced_float_copy_kernel", "reduced_input_copy_kernel",
        "copy_same_dtype", "fill_kernel", "fill_non_native_type", "cat_serial_kernel",
        "cat_serial_kernel_impl", "arange_kernel",
        // on a GPU
        "direct_copy_kernel_cuda", "copy_kernel_cuda", "fill_kernel_cuda", "FillFunctor", "parallel_cat"};
    return holdsOneIdentifier(name, families);
}

bool isRegistration(std::string_view name) {
    return name.starts_with("_GLOBAL__sub_I_") || holds(name, "static_initialization_and_destruction") ||
           holds(name, "TORCH_LIBRARY") || holds(name, "egister");
}

/// GCC puts what a function does when something is thrown elsewhere, under the function's name and ".cold".
std::string_view withoutCold(std::string_view name) {
    return name.substr(0, name.find(".cold"));
}

} // namespace

uint64_t TrapPlan::bytes() const {
    uint64_t sum = 0;
    for (const Span &body : bodies)
        sum += body.bytes;
    return sum;
}

NameKind kindOf(std::string_view name) {
    const bool isNative = isTorchKernel(name);
    if (!isNative && !isOfKernelLibrary(name))
        return NameKind::Other;
    if (isRegistration(name))
        return NameKind::Registration;
    return isNative && isMovement(name) ? NameKind::Movement : NameKind::Arithmetic;
}

TrapPlan planTraps(const ElfImage &image, const std::set<uint64_t> &executed, Trapped trapped) {
    struct Place {
        uint64_t bytes = 0;
        bool isArithmetic = false, stays = false;
    };
    std::unordered_set<std::string_view> names; // of what ran
    for (const ElfFunction &function : image.functions()) {
        if (executed.contains(function.address))
            names.insert(function.name);
    }
    std::map<uint64_t, Place> places; // several names may stand for one address
    for (const ElfFunction &function : image.functions()) {
        Place &place = places[function.address];
        place.bytes = std::max(place.bytes, function.bytes);
        if (trapped == Trapped::Everything) {
            const std::string_view whole = withoutCold(function.name);
            place.isArithmetic = true;
            place.stays |= function.isFragment || executed.contains(function.address) ||
                           (whole != function.name && names.contains(whole));
            continue;
        }
        const NameKind kind = kindOf(function.name);
        place.isArithmetic |= kind == NameKind::Arithmetic || kind == NameKind::Movement;
        place.stays |= kind == NameKind::Movement || kind == NameKind::Registration ||
                       executed.contains(function.address) || names.contains(withoutCold(function.name));
    }
    TrapPlan plan;
    plan.functions = places.size();
    uint64_t keptEnd = 0; // of functions that stay
    for (auto next = places.begin(); next != places.end();) {
        const auto &[address, place] = *next++;
        if (!place.isArithmetic || place.stays) {
            plan.kept += place.isArithmetic ? 1 : 0;
            keptEnd = std::max(keptEnd, address + place.bytes);
            continue;
        }
        // Tables that overlap are rare, and what stays is whole.
        const uint64_t begin = std::max(address, keptEnd);
        const uint64_t limit = next == places.end() ? address + place.bytes : next->first;
        const uint64_t end = std::min(address + place.bytes, limit);
        if (begin < end)
            plan.bodies.push_back({begin, end - begin});
    }
    return plan;
}

std::vector<unsigned char> trapBytes(const Span &body) {
#if defined(__x86_64__)
    static constexpr std::array<unsigned char, 2> trap = {0x0f, 0x0b}; // ud2
#else
    static constexpr std::array<unsigned char, 4> trap = {0, 0, 0, 0}; // udf
#endif
    std::vector<unsigned char> bytes(body.bytes);
    for (size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = trap[i % trap.size()];
    return bytes;
}

} // namespace warpwright
