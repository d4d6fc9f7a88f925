// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/failure_map/failure_map.h"

namespace warpwright {

/// One element of a result that is wrong.
struct WrongElement {
    int round = 0;  ///< from 1
    QString output; ///< "output", "output[1]"
    std::vector<qint64> index;
    double expected = 0; ///< the oracle's
    double got = 0;

    bool operator==(const WrongElement &) const = default;
};

/// "output[3, 17], round 1: expected −0.41837, got NaN"
[[nodiscard]] QString elementWords(const WrongElement &element);

/// Blocks of the picture as letters, a line a row: «.» right, «1» to «4» the error over what is allowed (to
/// 10, 10³, 10⁵, above), «N» mostly NaN; with a line that says so. At most `mostRows` by `mostColumns`
/// letters: of several blocks the worst.
[[nodiscard]] QString pictureText(const OutputFailure &output, const FailurePicture &picture,
                                  int mostRows = 24, int mostColumns = 64);

/// What an agent is asked about a wrong result: the element, where it may have been written, what the errors
/// have in common, the worst ones, and the picture of the result that the element is of. Some 4 KiB at most.
/// `stores`: storeWords(), or why nothing is known; may be empty.
[[nodiscard]] QString failureQuestion(const OrderedJson &verify, const WrongElement &element,
                                      const QString &stores);

} // namespace warpwright
