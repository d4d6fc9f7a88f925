// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/workspace/candidate_texts.h"

#include <QString>

namespace warpwright {

/// The example of the workspace template under another name: «softmax_rows» gives kernels/softmax_rows.cu
/// with launchSoftmaxRows(), its binding, and `withTwin` its CPU twin.
[[nodiscard]] Result<CandidateTexts> kernelFromTemplate(const QString &stem, bool withTwin,
                                                        const QString &resources);

/// "softmax_rows" as part of a longer name: "SoftmaxRows".
[[nodiscard]] QString camelCase(const QString &stem);

/// Why C++ or Python would not take it as a function's name; empty: both do. "it begins with a digit".
[[nodiscard]] QString whyNoIdentifier(const QString &name);

} // namespace warpwright
