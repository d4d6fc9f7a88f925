// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/prediction.h"
#include "agent/playbook/ir/program.h"
#include "agent/playbook/schedule/knobs.h"
#include "agent/playbook/target/target.h"

#include <QString>

#include <optional>
#include <vector>

namespace warpwright {

/// One thing that an expert would try next, for all kernels of a program to which it applies.
struct PlaybookMove {
    QString move;  ///< its id in ledgers: "vector-math"
    QString title; ///< one line
    QString reason;
    std::vector<Knobs> knobSets; ///< after it
    Prediction prediction;
    bool isVariant = false;        ///< of one kernel, in the same build: no formula predicts whether it helps
    bool changesPrecision = false; ///< a task may refuse it
    std::optional<Program> program = std::nullopt; ///< that the knobs are for, where it is another one

    /// The key of its measurements: its id, and which variant it is.
    [[nodiscard]] QString remembered() const;
    bool operator==(const PlaybookMove &) const = default;
};

/// The knobs of the first text, before any move.
[[nodiscard]] std::vector<Knobs> plainKnobs(const Program &program);
/// The family, type and size of the kernels whose knobs differ: "fused_rows float32 4^6 4^5". Measured on
/// one, a move is expected to do the same to the next.
[[nodiscard]] QString kernelClass(const Program &program, const std::vector<Knobs> &before,
                                  const std::vector<Knobs> &after);

/// All moves that are left from there on, best expected first. A move changes only kernels to which it
/// applies, and is left out where there are none.
[[nodiscard]] std::vector<PlaybookMove> movesFrom(const Program &program, const std::vector<Knobs> &knobSets,
                                                  const Target &target);

/// On a GPU, variants in the same build: no formula predicts which is fastest. Those of the longest kernel
/// first.
[[nodiscard]] std::vector<PlaybookMove>
variantsFrom(const Program &program, const std::vector<Knobs> &knobSets, const Target &target);

/// Seconds that the program should take: memory at the target's ceiling, and on a CPU the calls of
/// mathematical functions, one element after the other.
[[nodiscard]] double predictedSeconds(const Program &program, const std::vector<Knobs> &knobSets,
                                      const Target &target);

} // namespace warpwright
