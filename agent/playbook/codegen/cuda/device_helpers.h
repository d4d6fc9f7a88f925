// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/cuda/templates/block_functions.h"
#include "agent/playbook/schedule/thread_mapping.h"

#include <QString>

#include <map>

namespace warpwright {

/// The functions by which the threads of an emitted kernel cooperate, as text. `hasMoments`: the blocks of a
/// cluster combine a row's sum and squares (`moment_pattern`).
[[nodiscard]] QString blockReductionFunctions(const Kernel &kernel, const ThreadMapping &mapping,
                                              bool hasMoments);

/// A name for a vector of `buffer`'s elements that none of `vecs` has.
[[nodiscard]] QString vecName(const QString &buffer, const std::map<int, QString> &vecs,
                              const QString &word = QStringLiteral("Vec"));

/// The vector of `type` at `buffer + address`; zeros where there is a `guard` and it is false.
[[nodiscard]] QString vecLoad(const QString &type, const QString &buffer, const QString &address,
                              const QString &guard);
/// Stores `vec` there, indexed by vector: where an element's address is a sum of several products, nvcc 13.0
/// splits the store into four, and each sector is written in pieces.
[[nodiscard]] QString vecStore(const QString &type, const QString &buffer, const QString &address,
                               const QString &vec);

} // namespace warpwright
