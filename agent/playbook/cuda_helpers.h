// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <map>

namespace warpwright {

/// Functions by which the threads of an emitted kernel meet, as text.
[[nodiscard]] QString reduceBlockText(); ///< one value a thread, and all get the result
[[nodiscard]] QString meetInClusterText();
[[nodiscard]] QString reduceClusterText();
[[nodiscard]] QString reduceLanesText(); ///< one value a group and lane
[[nodiscard]] QString scanBlockText();   ///< one value a thread, and each gets what came up to it
/// Neighbours that one instruction loads or stores.
[[nodiscard]] QString packText();

/// A name for a pack of `buffer`'s elements that none of `packs` has.
[[nodiscard]] QString packName(const QString &buffer, const std::map<int, QString> &packs);

/// The pack of elements of `type` at `buffer + address`; zeros where a `guard` is there and does not hold.
[[nodiscard]] QString packLoad(const QString &type, const QString &buffer, const QString &address,
                               const QString &guard);
/// Stores `pack` there. By the pack's number: nvcc makes four stores of one where an element's address is a
/// sum of several products (13.0), and memory gets each sector in pieces.
[[nodiscard]] QString packStore(const QString &type, const QString &buffer, const QString &address,
                                const QString &pack);

} // namespace warpwright
