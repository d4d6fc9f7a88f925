// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/buffer_layout.h"
#include "agent/playbook/fused_kernel.h"

namespace warpwright {

/// Memory that kernels of a plan share.
struct PlanBuffer {
    enum class Kind { Leaf, Output, Temporary };

    Kind kind = Kind::Leaf;
    int node = -1;       ///< of the plan's graph
    BufferLayout layout; ///< a result's is torch's

    bool operator==(const PlanBuffer &) const = default;
};

/// What a plan leaves open: each choice is a move that changes the kernels themselves.
struct PlanChoices {
    bool isChannelsLast = false; ///< convolutions of images that can: see canBeChannelsLast
    bool hasAttention = false;   ///< two products around a softmax are one kernel

    bool operator==(const PlanChoices &) const = default;
};

/// A reference as few kernels in order: fusion groups around reductions, pointwise work in the nearest one.
struct KernelPlan {
    ReferenceGraph graph; ///< that it was made for: the reference, some of its operators in other words
    std::vector<PlanBuffer> buffers;
    std::vector<FusedKernel> kernels;
    std::vector<int> outputs; ///< buffers, in the order of the graph's outputs
    PlanChoices choices;      ///< that it was made with
    QString cannot;           ///< set: there is no plan, because …

    bool operator==(const KernelPlan &) const = default;

    /// What all launches have to move at least, and what the reference has to: inputs and results once.
    [[nodiscard]] double bytes() const;
    [[nodiscard]] double operations() const;
    /// The same for references that do the same: no name is in it.
    [[nodiscard]] QString signature() const;
};

/// The one kernel that reads what `kernel` leaves in a temporary; empty: it is none, or read by several.
[[nodiscard]] std::optional<std::size_t> onlyReader(const KernelPlan &plan, std::size_t kernel);

[[nodiscard]] KernelPlan planOf(const ReferenceGraph &graph, const PlanChoices &choices = {});

/// What torch moves when each operator is a kernel of its own: every operand is read and every result
/// written.
[[nodiscard]] double unfusedBytes(const ReferenceGraph &graph);
[[nodiscard]] int unfusedKernels(const ReferenceGraph &graph);

} // namespace warpwright
