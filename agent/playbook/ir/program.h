// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/ir/tensor_layout.h"

namespace warpwright {

/// A part of a buffer's memory, which a repeated kernel finds elsewhere at each turn. In elements of that
/// buffer.
struct TimeStepWindow {
    int buffer = -1;
    std::int64_t offset = 0;
    std::int64_t step = 0; ///< from one place to the next
    int first = 0;         ///< place of the first turn
    int ring = 0;          ///< places that come round again; 0: each turn has its own

    bool operator==(const TimeStepWindow &) const = default;
};

/// Memory that kernels of a plan share.
struct ProgramBuffer {
    enum class Kind { Input, Output, Temporary, Window };

    Kind kind = Kind::Input;
    int node = -1;              ///< of the plan's graph
    TensorLayout layout;        ///< a result's is torch's; a window's begins where it does
    TimeStepWindow window = {}; ///< Window: of which memory

    bool operator==(const ProgramBuffer &) const = default;
};

/// Kernels that are launched over and over, in order: each turn goes on from what the one before has left.
struct TimeLoop {
    std::size_t first = 0; ///< kernel
    std::size_t count = 0;
    std::int64_t timeSteps = 1;

    bool operator==(const TimeLoop &) const = default;
};

/// What a plan leaves open: each choice is a move that changes the kernels themselves.
struct ProgramChoices {
    bool isChannelsLast = false; ///< convolutions of images that can: see canBeChannelsLast
    bool hasAttention = false;   ///< two products around a softmax are one kernel
    /// Products and what is made of them are one kernel, on the matrix units of compute capability 9.0
    bool hasSm90Matmuls = false;
    /// Images that are read where other tensors say get a copy with channels last: see sampledTensors
    bool copiesSampled = false;
    bool isForCpu = false; ///< whose threads do not slide windows down: see withSeparablePooling
    /// Whose figures decide, of each of its kernels too (target/plan_device.h). Null: programOf() takes the
    /// usual one.
    const Device *device = nullptr;

    bool operator==(const ProgramChoices &) const = default;
};

/// A reference as few kernels in order: fusion groups around reductions, pointwise work in the nearest one.
struct Program {
    ReferenceGraph graph; ///< that it was made for: the reference, some of its operators in other words
    std::vector<ProgramBuffer> buffers;
    std::vector<Kernel> kernels;
    std::vector<TimeLoop> timeLoops; ///< in order, and apart
    std::vector<int> outputs;        ///< buffers, in the order of the graph's outputs
    ProgramChoices choices;          ///< that it was made with
    QString unsupported;             ///< set: there is no plan, because …

    bool operator==(const Program &) const = default;

    /// What all launches have to move at least, and what the reference has to: inputs and results once.
    [[nodiscard]] double bytes() const;
    [[nodiscard]] double operations() const;
    /// How often a kernel is launched.
    [[nodiscard]] std::int64_t timeStepsOf(std::size_t kernel) const;
    /// The buffer in whose memory this one lies: itself, but for a window.
    [[nodiscard]] int memoryOf(int buffer) const;
    /// The same for references that do the same: no name is in it.
    [[nodiscard]] QString signature() const;
};

/// Whether one of its leaves is of the buffer.
[[nodiscard]] bool reads(const Kernel &kernel, int buffer);
/// The one kernel that reads what `kernel` leaves in a temporary; empty: it is none, or read by several.
[[nodiscard]] std::optional<std::size_t> onlyConsumer(const Program &program, std::size_t kernel);

} // namespace warpwright
