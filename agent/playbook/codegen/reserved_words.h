// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QString>

/// Names that no buffer of an emitted kernel may have.
namespace warpwright {

/// Keywords of C++, and names in all of our kernels.
[[nodiscard]] const QSet<QString> &reservedWords();
/// Of library calls, and of our own matmuls.
[[nodiscard]] const QSet<QString> &structuredOpWords();
/// Of attention.
[[nodiscard]] const QSet<QString> &attentionWords();
/// Of sorted rows.
[[nodiscard]] const QSet<QString> &sortWords();

} // namespace warpwright
