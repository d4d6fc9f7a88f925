// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/workspace/compared_row.h"

#include <QStringList>

namespace warpwright {

/// How alike two lines are, from 0 (no word in common) to 1, without regard to space and order.
[[nodiscard]] double likeness(const QString &left, const QString &right);

/// The same by the words of both, as sortedWords() gives them: for lines that are compared with many.
[[nodiscard]] double likeness(const QStringList &left, const QStringList &right);
[[nodiscard]] QStringList sortedWords(const QString &line);

/// Marks in a Changed row the words that are not on the other side. Where next to nothing is common, no word
/// is marked: the whole line is new.
void markWords(ComparedRow &row);

} // namespace warpwright
