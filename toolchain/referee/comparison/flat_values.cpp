// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/comparison/flat_values.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/view_as_real.h>

#include <algorithm>

namespace warpwright {

namespace {

// Of a tensor that is not contiguous: the rows of its first dimension that hold these elements, copied.
at::Tensor gathered(const at::Tensor &tensor, int64_t begin, int64_t end) {
    if (tensor.is_contiguous())
        return tensor.view({-1}).slice(0, begin, end);
    const int64_t row = tensor.numel() / tensor.size(0);
    const int64_t first = begin / row;
    const int64_t last = (end - 1) / row;
    if (first == last && tensor.dim() > 1)
        return gathered(tensor.select(0, first), begin - first * row, end - first * row);
    return tensor.narrow(0, first, last - first + 1)
        .reshape({-1})
        .slice(0, begin - first * row, end - first * row);
}

} // namespace

FlatValues::FlatValues(const at::Tensor &tensor)
    : m_count(tensor.numel() * (tensor.is_complex() ? 2 : 1)),
      m_type(at::toRealValueType(tensor.scalar_type())) {
    const at::Tensor values = tensor.is_complex() ? at::view_as_real(tensor) : tensor;
    if (values.is_cpu() || values.is_contiguous() || values.numel() == 0)
        m_flat = values.reshape({-1});
    else
        m_part = [values](int64_t begin, int64_t end) {
            return gathered(values, begin, end);
        };
}

FlatValues::FlatValues(int64_t count, at::ScalarType type, Part part)
    : m_count(count), m_type(type), m_part(std::move(part)) {}

bool FlatValues::isFloatingPoint() const {
    return at::isFloatingType(m_type);
}

at::Tensor FlatValues::slice(int64_t begin, int64_t end) const {
    return m_flat.defined() ? m_flat.slice(0, begin, end) : m_part(begin, std::min(end, m_count));
}

at::Tensor FlatValues::slice(int64_t begin, int64_t end, const at::Tensor &like) const {
    const at::Tensor part = slice(begin, end);
    return part.device() == like.device() ? part : part.to(like.device());
}

double FlatValues::at(int64_t place) const {
    return slice(place, place + 1).to(at::kDouble).item<double>();
}

} // namespace warpwright
