// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/amputate/fatbins.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <map>
#include <sstream>
#include <stdexcept>

namespace warpwright {

namespace {

/// What stands before the device code of one source file.
struct FatbinHeader {
    uint32_t magic;
    uint16_t version, headerBytes;
    uint64_t bytes;
};
constexpr uint32_t fatbinMagic = 0xba55ed50;

// Of files that do nothing but move data, beside signs and conjugates on the way: torch copies through the
// first, joins in the second, counts up in the third, and fills by the last, which stands elsewhere too.
constexpr std::array movingFiles = {"direct_copy_kernel_cuda", "_Shape_cu_", "_RangeFactories_cu_"};
constexpr const char *filling = "FillFunctor";

bool holds(const std::string &kernel, const char *name) {
    return kernel.find(name) != std::string::npos;
}

} // namespace

std::vector<Fatbin> fatbinsOf(const std::string &registered, const std::string &library) {
    std::vector<Fatbin> found;
    std::map<std::string, size_t> places; // by handle
    std::istringstream lines(registered);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string kind, handle, name, address;
        std::getline(words, kind, '\t');
        std::getline(words, handle, '\t');
        std::getline(words, name, '\t');
        if (kind == "fatbin" && std::getline(words, address, '\t') && name.ends_with(library)) {
            places[handle] = found.size();
            found.push_back({std::stoull(address), {}});
        } else if (kind == "kernel" && places.contains(handle)) {
            found[places[handle]].kernels.push_back(name);
        }
    }
    return found;
}

bool isMovement(const Fatbin &fatbin) {
    const std::vector<std::string> &kernels = fatbin.kernels;
    const bool moves = std::any_of(kernels.begin(), kernels.end(), [](const std::string &kernel) {
        return std::any_of(movingFiles.begin(), movingFiles.end(),
                           [&](const char *name) { return holds(kernel, name); });
    });
    return moves ||
           (!kernels.empty() && std::all_of(kernels.begin(), kernels.end(), [](const std::string &kernel) {
               return holds(kernel, filling);
           }));
}

std::vector<uint64_t> sizesToEmpty(const ElfImage &image, const std::vector<Fatbin> &fatbins) {
    std::vector<uint64_t> places;
    for (const Fatbin &fatbin : fatbins) {
        if (isMovement(fatbin))
            continue;
        const auto offset = image.fileOffset(fatbin.address);
        FatbinHeader header{};
        if (offset && *offset + sizeof header <= image.fileBytes())
            std::memcpy(&header, image.bytesAt(*offset), sizeof header);
        if (header.magic != fatbinMagic)
            throw std::runtime_error("Device code without the header of one, at address " +
                                     std::to_string(fatbin.address));
        places.push_back(*offset + offsetof(FatbinHeader, bytes));
    }
    return places;
}

} // namespace warpwright
