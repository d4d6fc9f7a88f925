// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/ir/tensor_layout.h"

namespace warpwright {

/// A slice of a buffer, whose offset advances by `step` each time step. In elements of that buffer.
struct TimeStepWindow {
    int buffer = -1;
    std::int64_t offset = 0;
    std::int64_t step = 0; ///< from one slot to the next
    int first = 0;         ///< slot of the first time step
    int ring = 0;          ///< number of slots that are reused in turn; 0: each time step has its own

    bool operator==(const TimeStepWindow &) const = default;
};

/// Memory that kernels of a program share.
struct ProgramBuffer {
    enum class Kind { Input, Output, Temporary, Window };

    Kind kind = Kind::Input;
    int node = -1;              ///< of the program's graph
    TensorLayout layout;        ///< an output has torch's layout; a window is relative to its slice
    TimeStepWindow window = {}; ///< Window: the slice

    bool operator==(const ProgramBuffer &) const = default;
};

/// Kernels that are launched repeatedly, in order: each time step continues from the previous one.
struct TimeLoop {
    std::size_t first = 0; ///< kernel
    std::size_t count = 0;
    std::int64_t timeSteps = 1;

    bool operator==(const TimeLoop &) const = default;
};

/// Options of a program: each is a move that changes the kernels themselves.
struct ProgramChoices {
    bool isChannelsLast = false; ///< convolutions that can be NHWC: see canBeChannelsLast
    bool hasAttention = false;   ///< matmul, softmax, matmul become one kernel
    /// Matmuls are fused with their epilogues, on the tensor cores of compute capability 9.0
    bool hasSm90Matmuls = false;
    /// Images that are sampled at computed positions get an NHWC copy: see sampledTensors
    bool copiesSampled = false;
    bool isForCpu = false; ///< its pooling has no sliding window: see withSeparablePooling

    bool operator==(const ProgramChoices &) const = default;
};

/// A reference as few kernels in order: fusion groups around reductions, pointwise work in the nearest one.
struct Program {
    ReferenceGraph graph; ///< the reference after graph rewriting
    std::vector<ProgramBuffer> buffers;
    std::vector<Kernel> kernels;
    std::vector<TimeLoop> timeLoops; ///< in order, disjoint
    std::vector<int> outputs;        ///< buffers, in the order of the graph's outputs
    ProgramChoices choices;          ///< that it was built with
    SharedDevice device;             ///< that its CUDA text is tuned for, also where it runs on a CPU
    QString unsupported;             ///< set: there is no program, because …

    bool operator==(const Program &) const = default;

    /// The minimum traffic of all launches.
    [[nodiscard]] double bytes() const;
    [[nodiscard]] double operations() const;
    /// The number of launches of a kernel.
    [[nodiscard]] std::int64_t timeStepsOf(std::size_t kernel) const;
    /// The buffer that owns this one's memory: for a window, the buffer that it is a slice of.
    [[nodiscard]] int memoryOf(int buffer) const;
    /// Equal for references that compute the same; it contains no names.
    [[nodiscard]] QString signature() const;
};

/// Whether one of its inputs is the buffer.
[[nodiscard]] bool reads(const Kernel &kernel, int buffer);
/// The only consumer of the temporary that `kernel` stores; empty: it is no temporary, or has several.
[[nodiscard]] std::optional<std::size_t> onlyConsumer(const Program &program, std::size_t kernel);

} // namespace warpwright
