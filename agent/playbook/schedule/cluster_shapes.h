// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/schedule/knobs.h"

#include <QString>

#include <vector>

/// How many blocks of how many threads share a row: shapes of thread block clusters.
namespace warpwright {

/// Whether a row is long enough for a cluster, and too long, or rows too few, for a block each.
[[nodiscard]] bool canBeClustered(const Kernel &kernel);

struct ClusterShape {
    int blocks = 1;   ///< that share a row
    int threads = 32; ///< of each

    /// "2 blocks of 1024".
    [[nodiscard]] QString word() const;

    bool operator==(const ClusterShape &) const = default;
};

/// The launcher's configs for a kernel with clustered rows, best expected first: up to four.
[[nodiscard]] std::vector<ClusterShape> clusterShapes(const Kernel &kernel, const Knobs &knobs);

} // namespace warpwright
