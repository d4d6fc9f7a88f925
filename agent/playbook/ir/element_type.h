// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace warpwright {

/// What a tensor's elements are, as torch names them.
enum class ElementType { Float32, Float64, Float16, BFloat16, Int64, Int32, Int16, Int8, UInt8, Bool };

[[nodiscard]] std::optional<ElementType> elementTypeFromName(const QString &name); ///< "bfloat16"
[[nodiscard]] QString elementTypeName(ElementType type);
[[nodiscard]] int bytesOf(ElementType type);
[[nodiscard]] bool isFloating(ElementType type);
/// A number as computing in this type has it: rounded, or cut off to a whole one, or whether it is not 0.
[[nodiscard]] double castTo(double number, ElementType type);
/// What kernels compute in: float for the half types, std::int64_t for integers of any width.
[[nodiscard]] ElementType computeType(ElementType type);
/// "float", "std::int64_t"; the half types by the names that the kernels give them.
[[nodiscard]] QString cTypeName(ElementType type, bool isCuda);
/// torch::headeronly::ScalarType's word for it: "Float".
[[nodiscard]] QString scalarTypeName(ElementType type);

} // namespace warpwright
