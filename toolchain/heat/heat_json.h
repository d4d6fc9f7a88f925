// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"
#include "toolchain/heat/heat.h"

namespace warpwright {

inline constexpr auto heatSchema = "warpwright.heat/1";

/// What the heat is of, beside it in the document.
struct HeatSubject {
    QString program;   ///< "wright 0.9.0"
    QString workspace; ///< absolute
    HeatChoice choice;
    bool wantsInstructions = false; ///< they are most of a document
};

/// The document, always with the same fields in the same order (resources/schemas/heat-1.schema.json).
[[nodiscard]] OrderedJson toJson(const Heat &heat, const HeatSubject &subject);

} // namespace warpwright
