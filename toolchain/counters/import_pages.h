// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"

#include <QByteArray>

namespace warpwright {

/// The words for `ncu` that print one page of `report` so that importedCounters() reads it: "raw", "details"
/// or "source".
[[nodiscard]] QStringList importWords(const QString &report, const QString &page);

/// What `ncu --import … --csv` printed of the three pages, as Counters; `details` and `source` may be empty.
/// Columns are found by their names, lines before the table are passed over. Metrics whose values stand per
/// instance, and texts of sources, are not on these pages.
[[nodiscard]] Result<Counters> importedCounters(const QByteArray &raw, const QByteArray &details,
                                                const QByteArray &source);

/// The fields of one record of a CSV and where the next begins; `next` == text.size(): the last one. Quotes
/// may hold commas, doubled quotes and line ends.
[[nodiscard]] QStringList csvRecord(const QByteArray &text, qsizetype begin, qsizetype &next);

} // namespace warpwright
