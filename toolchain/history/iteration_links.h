// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/history/iteration.h"

#include <QString>

#include <optional>
#include <vector>

namespace warpwright {

/// Which evaluation belongs to which iteration, or which mark.
struct IterationLink {
    int iteration = 0;
    QString evaluation;                       ///< id; empty: the line is a mark
    std::optional<EvaluationSummary> summary; ///< a copy, so that the tree opens no documents
    IterationMark mark = IterationMark::None; ///< of a line without an evaluation; None takes one away

    bool operator==(const IterationLink &) const = default;
};

/// The links of one history, in a file of one JSON object a line to which lines are only ever added. A line
/// that was cut off by a crash or a full disk is passed over; those before and after it hold.
class IterationLinks {
public:
    explicit IterationLinks(QString file);

    /// On the disk when it returns.
    [[nodiscard]] Result<void> add(const IterationLink &link) const;
    /// Oldest first; none without a file.
    [[nodiscard]] Result<std::vector<IterationLink>> read() const;
    /// The same of these iterations alone (`numbers` sorted): of all other lines no more than the number is
    /// looked at, for what takes the time is to read a summary as JSON, and there may be ten thousand.
    [[nodiscard]] Result<std::vector<IterationLink>> readOf(const std::vector<int> &numbers) const;

private:
    [[nodiscard]] Result<std::vector<IterationLink>> read(const std::vector<int> *numbers) const;

    QString m_file;
};

} // namespace warpwright
