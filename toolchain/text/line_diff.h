// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <vector>

namespace warpwright {

/// A run of lines that was replaced by another; either count may be 0. Lines count from 0.
struct ReplacedLines {
    int oldStart = 0;
    int oldCount = 0;
    int newStart = 0;
    int newCount = 0;

    bool operator==(const ReplacedLines &) const = default;
};

/// What turns `before` into `after`, as git would say it, without context. Of any bytes; a last line without
/// its end counts as one with it.
[[nodiscard]] std::vector<ReplacedLines> replacedLines(const QByteArray &before, const QByteArray &after);

} // namespace warpwright
