// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"
#include "toolchain/inspect/inspection.h"

namespace warpwright {

inline constexpr const char *inspectionSchema = "warpwright.inspect/1";

/// Which listings to write: they are most of a document.
struct InspectionParts {
    bool sass = false;
    bool ptx = false;
    QString kernel; ///< only kernels whose name holds this; empty: all
};

/// The kernels that `name` means: by their whole name, mangled or not, else all whose name holds it.
[[nodiscard]] std::vector<InspectedKernel> kernelsNamed(const std::vector<InspectedKernel> &kernels,
                                                        const QString &name);

/// The document, always with the same fields in the same order (resources/schemas/inspect-1.schema.json).
[[nodiscard]] OrderedJson toJson(const Inspection &inspection, const InspectionParts &parts,
                                 const QString &programVersion);

} // namespace warpwright
