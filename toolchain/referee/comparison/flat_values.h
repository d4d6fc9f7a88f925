// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>

namespace warpwright {

/// The elements of a tensor in their order, a part at a time, so that nobody needs a second tensor of its
/// size: of one in memory, whatever its strides and on whatever device, or of one that is computed part by
/// part. A complex number is two elements.
class FlatValues {
public:
    /// Elements `begin` to `end` as a tensor of one dimension.
    using Part = std::function<at::Tensor(int64_t begin, int64_t end)>;

    FlatValues(const at::Tensor &tensor); // NOLINT(google-explicit-constructor): every tensor is one
    FlatValues(int64_t count, at::ScalarType type, Part part);

    [[nodiscard]] int64_t numel() const { return m_count; }
    [[nodiscard]] at::ScalarType type() const { return m_type; }
    [[nodiscard]] bool isFloatingPoint() const;
    /// Its parts are made when they are asked for: one at a time, best in order.
    [[nodiscard]] bool isMadeInParts() const { return !m_flat.defined(); }
    [[nodiscard]] at::Tensor slice(int64_t begin, int64_t end) const;
    /// The same on the device of `like`.
    [[nodiscard]] at::Tensor slice(int64_t begin, int64_t end, const at::Tensor &like) const;
    [[nodiscard]] double at(int64_t place) const;

private:
    int64_t m_count;
    at::ScalarType m_type;
    at::Tensor m_flat; ///< where all of them lie side by side
    Part m_part;
};

} // namespace warpwright
