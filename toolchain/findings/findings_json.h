// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"
#include "toolchain/findings/finding.h"

namespace warpwright {

inline constexpr auto findingsSchema = "warpwright.findings/1";

/// What the findings are of, beside them in the document.
struct FindingsSubject {
    QString program;    ///< "wright 0.9.0"
    QString workspace;  ///< absolute
    QString textHash;   ///< of the text that is spoken of
    int iteration = 0;  ///< 0: the text on disk
    QString evaluation; ///< id of the check that was read; empty: none
    QString counters;   ///< id of the counters that were read; empty: none
    QString timeline;   ///< id of the timeline that was read; empty: none

    bool operator==(const FindingsSubject &) const = default;
};

/// The document, always with the same fields in the same order (resources/schemas/findings-1.schema.json).
[[nodiscard]] OrderedJson toJson(const Findings &findings, const FindingsSubject &subject);

/// One of them, as it stands in the document: for whoever tells of findings in a document of its own.
[[nodiscard]] OrderedJson toJson(const Finding &finding);

} // namespace warpwright
