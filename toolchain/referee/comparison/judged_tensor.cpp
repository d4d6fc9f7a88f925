// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/comparison/judged_tensor.h"

#include "referee/base/fault.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <map>

namespace warpwright {

namespace {

const std::map<std::string, at::ScalarType> &scalarTypes() {
    static const std::map<std::string, at::ScalarType> types{
        {"float64", at::kDouble},
        {"float32", at::kFloat},
        {"float16", at::kHalf},
        {"bfloat16", at::kBFloat16},
        {"int64", at::kLong},
        {"int32", at::kInt},
        {"int16", at::kShort},
        {"int8", at::kChar},
        {"uint8", at::kByte},
        {"bool", at::kBool},
        {"complex64", at::kComplexFloat},
        {"complex128", at::kComplexDouble},
    };
    return types;
}

[[noreturn]] void refuse(const Json &node, const std::string &why) {
    throw Fault("run-failed", "A tensor that a worker reported cannot be read.",
                why + ": " + node.dump().substr(0, 400), "Return ordinary dense tensors on the device.");
}

std::vector<int64_t> numbers(const Json &node, const char *key) {
    std::vector<int64_t> result;
    const auto list = node.find(key);
    if (list == node.end() || !list->is_array() || list->size() > 64)
        refuse(node, std::string("its ") + key + " are not a list of at most 64 numbers");
    for (const Json &entry : *list) {
        if (!entry.is_number_integer() || entry.get<int64_t>() < 0 ||
            entry.get<int64_t>() > (int64_t{1} << 40))
            refuse(node, std::string("its ") + key + " are out of range");
        result.push_back(entry.get<int64_t>());
    }
    return result;
}

} // namespace

at::Tensor tensorAt(const Json &node, uint64_t base, uint64_t bytes, MemoryKind kind) {
    const auto type = scalarTypes().find(node.value("dtype", ""));
    if (type == scalarTypes().end())
        refuse(node, "its dtype is not one that can be compared");
    const std::vector<int64_t> sizes = numbers(node, "sizes");
    const std::vector<int64_t> strides = numbers(node, "strides");
    if (sizes.size() != strides.size())
        refuse(node, "it has not as many strides as sizes");
    const auto options = at::TensorOptions()
                             .dtype(type->second)
                             .device(kind == MemoryKind::Cuda ? at::Device(at::kCUDA, 0) : at::kCPU);
    uint64_t extent = 1;
    for (size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] == 0)
            return at::empty(sizes, options);
        uint64_t step = 0;
        if (__builtin_mul_overflow(static_cast<uint64_t>(sizes[i] - 1), static_cast<uint64_t>(strides[i]),
                                   &step) ||
            __builtin_add_overflow(extent, step, &extent))
            refuse(node, "its extent is out of range");
    }
    if (!node.contains("offset") || !node["offset"].is_number_unsigned())
        refuse(node, "it has no place in the worker's memory");
    const uint64_t offset = node["offset"].get<uint64_t>();
    const uint64_t itemBytes = at::elementSize(type->second);
    if (extent > bytes / itemBytes || offset > bytes - extent * itemBytes || offset % itemBytes != 0)
        refuse(node, "it lies outside of the worker's memory");
    return at::from_blob(reinterpret_cast<void *>(base + offset), sizes, strides, options);
}

at::Tensor tensorAt(const Json &node, const WorkerArena &arena) {
    at::Tensor tensor = tensorAt(node, arena.base(), arena.bytes(), arena.kind());
    if (tensor.numel() == 0)
        return tensor;
    int64_t extent = 1;
    for (int64_t i = 0; i < tensor.dim(); ++i)
        extent += (tensor.size(i) - 1) * tensor.stride(i);
    const uint64_t offset = node["offset"].get<uint64_t>();
    if (!arena.holds(offset, static_cast<uint64_t>(extent) * tensor.element_size()))
        refuse(node, "it lies in memory that the worker has given back");
    return tensor;
}

} // namespace warpwright
