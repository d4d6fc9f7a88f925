// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"
#include "toolchain/base/result.h"
#include "toolchain/evaluation/evaluation.h"

#include <QByteArray>

namespace warpwright {

inline constexpr const char *evaluationSchema = "warpwright.evaluation/1";

/// Parts that other documents have as well.
[[nodiscard]] OrderedJson diagnosticToJson(const Diagnostic &diagnostic);
[[nodiscard]] OrderedJson kernelToJson(const KernelResources &kernel);

/// The document, with every field of resources/schemas/evaluation-1.schema.json, always in the same order.
[[nodiscard]] OrderedJson toJson(const Evaluation &evaluation);

/// The document as text, indented by two, with a line end: the same in the store and on standard output.
[[nodiscard]] QByteArray toText(const Evaluation &evaluation);

/// Reads a document of ours. Fields of a later version in the judge's parts are kept; a missing or misshapen
/// field of this version is an error that names it.
[[nodiscard]] Result<Evaluation> evaluationFromJson(const QByteArray &text);

} // namespace warpwright
