// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QString>

#include <vector>

namespace warpwright {

/// A piece of a text in place of another.
struct PieceEdit {
    QString oldText; ///< stands there exactly once, or `isForAll`
    QString newText;
    bool isForAll = false;
};

struct EditedText {
    QString text;
    int places = 0; ///< that were changed
    QString around; ///< the changed lines with their numbers and a few around them, for whoever asked
};

/// One after the other, all or none. The error says which edit does not fit, how often its text stands there
/// and where, and else which lines are nearest to it.
[[nodiscard]] Result<EditedText> applyEdits(const QString &text, const std::vector<PieceEdit> &edits);

} // namespace warpwright
