// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/cuda/templates/block_functions.h"
#include "agent/playbook/schedule/thread_mapping.h"

#include <QString>

#include <map>

namespace warpwright {

/// The functions by which the threads of an emitted kernel meet, as text. `hasMoments`: the blocks of a
/// cluster join a row's sum and squares (`row_moments`).
[[nodiscard]] QString blockReductionFunctions(const Kernel &kernel, const ThreadMapping &mapping,
                                              bool hasMoments);

/// A name for a pack of `buffer`'s elements that none of `packs` has.
[[nodiscard]] QString vecName(const QString &buffer, const std::map<int, QString> &vecs,
                              const QString &word = QStringLiteral("Pack"));

/// The pack of elements of `type` at `buffer + address`; zeros where a `guard` is there and does not hold.
[[nodiscard]] QString vecLoad(const QString &type, const QString &buffer, const QString &address,
                              const QString &guard);
/// Stores `pack` there. By the pack's number: nvcc makes four stores of one where an element's address is a
/// sum of several products (13.0), and memory gets each sector in pieces.
[[nodiscard]] QString vecStore(const QString &type, const QString &buffer, const QString &address,
                               const QString &vec);

} // namespace warpwright
