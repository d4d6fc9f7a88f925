// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/element_type.h"

#include <array>
#include <cmath>

namespace warpwright {
namespace {

struct Row {
    ElementType type;
    const char *name;
    int bytes;
    const char *cName;
    const char *cudaName;
    const char *scalarName;
};

constexpr std::array rows = {
    Row{ElementType::Float32, "float32", 4, "float", "float", "Float"},
    Row{ElementType::Float64, "float64", 8, "double", "double", "Double"},
    Row{ElementType::Float16, "float16", 2, "Half", "__half", "Half"},
    Row{ElementType::BFloat16, "bfloat16", 2, "BFloat16", "__nv_bfloat16", "BFloat16"},
    Row{ElementType::Int64, "int64", 8, "std::int64_t", "std::int64_t", "Long"},
    Row{ElementType::Int32, "int32", 4, "std::int32_t", "std::int32_t", "Int"},
    Row{ElementType::Int16, "int16", 2, "std::int16_t", "std::int16_t", "Short"},
    Row{ElementType::Int8, "int8", 1, "std::int8_t", "std::int8_t", "Char"},
    Row{ElementType::UInt8, "uint8", 1, "std::uint8_t", "std::uint8_t", "Byte"},
    Row{ElementType::Bool, "bool", 1, "bool", "bool", "Bool"},
};

const Row &rowOf(ElementType type) {
    return rows[static_cast<std::size_t>(type)];
}

} // namespace

std::optional<ElementType> elementTypeFromName(const QString &name) {
    for (const Row &row : rows)
        if (name == QLatin1String(row.name))
            return row.type;
    return std::nullopt;
}

QString elementTypeName(ElementType type) {
    return QLatin1String(rowOf(type).name);
}

int bytesOf(ElementType type) {
    return rowOf(type).bytes;
}

bool isFloating(ElementType type) {
    return type <= ElementType::BFloat16;
}

double castTo(double number, ElementType type) {
    if (type == ElementType::Bool)
        return number != 0;
    if (type == ElementType::Float32)
        return static_cast<float>(number);
    return isFloating(type) ? number : std::trunc(number);
}

ElementType computeType(ElementType type) {
    switch (type) {
    case ElementType::Float16:
    case ElementType::BFloat16:
        return ElementType::Float32;
    case ElementType::Int32:
    case ElementType::Int16:
    case ElementType::Int8:
    case ElementType::UInt8:
        return ElementType::Int64;
    default:
        return type;
    }
}

QString cTypeName(ElementType type, bool isCuda) {
    return QLatin1String(isCuda ? rowOf(type).cudaName : rowOf(type).cName);
}

QString scalarTypeName(ElementType type) {
    return QLatin1String(rowOf(type).scalarName);
}

} // namespace warpwright
