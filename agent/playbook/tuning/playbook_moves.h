// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/prediction.h"
#include "agent/playbook/ir/program.h"
#include "agent/playbook/schedule/knobs.h"

#include <QString>

#include <optional>
#include <vector>

namespace warpwright {

/// What moves are judged with: the device, and what a check has measured of it.
struct PlaybookDevice {
    bool isCuda = false;
    int threads = 1;                      ///< of a CPU
    std::optional<double> bytesPerSecond; ///< measured ceiling; empty: not yet
    bool hasClusters = false;   ///< of blocks that write into each other's shared memory: from 9.0 on
    bool hasWarpGroups = false; ///< whose matrix units four warps keep busy together: 9.0 alone

    bool operator==(const PlaybookDevice &) const = default;
};

/// One thing that an expert would try next, for all kernels of a plan that it means something for.
struct PlaybookMove {
    QString move;  ///< its word in ledgers: "vector-math"
    QString title; ///< one line
    QString reason;
    std::vector<Knobs> knobSets; ///< after it
    Prediction prediction;
    bool isVariant = false;        ///< of one kernel, in the same build: nothing says whether it helps
    bool changesPrecision = false; ///< a task may refuse it
    std::optional<Program> program = std::nullopt; ///< that the tunings are for, where it is another one

    /// What its measurements are kept under: its word, and which variant it is.
    [[nodiscard]] QString remembered() const;
    bool operator==(const PlaybookMove &) const = default;
};

/// What the first kernels are like, before any move.
[[nodiscard]] std::vector<Knobs> plainKnobs(const Program &program);
/// The family, type and size of the kernels that differ between both: "fused_rows float32 4^6 4^5". Measured
/// on one, a move is expected to do the same to the next.
[[nodiscard]] QString kernelClass(const Program &program, const std::vector<Knobs> &before,
                                  const std::vector<Knobs> &after);

/// All moves that are left from there on, the one that promises most first. A move says nothing about a
/// kernel that it cannot change, and is left out where it changes none.
[[nodiscard]] std::vector<PlaybookMove> movesFrom(const Program &program, const std::vector<Knobs> &knobSets,
                                                  const PlaybookDevice &device);

/// On a GPU, variants that are in the same build: which one is the fastest no formula says. Those of the
/// longest kernel first.
[[nodiscard]] std::vector<PlaybookMove>
variantsFrom(const Program &program, const std::vector<Knobs> &knobSets, const PlaybookDevice &device);

/// Whether the library brings a convolution's operands into another order for its matrix units, and the
/// result back: images by rows.
[[nodiscard]] bool isReorderedByLibrary(const Kernel &kernel, const Knobs &knobs);

/// Seconds that the plan should take: memory at the device's ceiling, and on a CPU the calls of mathematical
/// functions, one element after the other.
[[nodiscard]] double predictedSeconds(const Program &program, const std::vector<Knobs> &knobSets,
                                      const PlaybookDevice &device);

} // namespace warpwright
