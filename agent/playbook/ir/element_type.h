// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace warpwright {

/// The element type of a tensor, by torch's names.
enum class ElementType { Float32, Float64, Float16, BFloat16, Int64, Int32, Int16, Int8, UInt8, Bool };

[[nodiscard]] std::optional<ElementType> elementTypeFromName(const QString &name); ///< "bfloat16"
[[nodiscard]] QString elementTypeName(ElementType type);
[[nodiscard]] int bytesOf(ElementType type);
[[nodiscard]] bool isFloating(ElementType type);
/// The number converted to this type: rounded, truncated to an integer, or, for Bool, whether it is nonzero.
[[nodiscard]] double castTo(double number, ElementType type);
/// What kernels compute in: float for the half types, std::int64_t for integers of any width.
[[nodiscard]] ElementType computeType(ElementType type);
/// "float", "std::int64_t"; half types by the names that kernels use.
[[nodiscard]] QString cTypeName(ElementType type, bool isCuda);
/// The enumerator of torch::headeronly::ScalarType: "Float".
[[nodiscard]] QString scalarTypeName(ElementType type);

} // namespace warpwright
