// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QString>

/// Names that no buffer of an emitted kernel may have.
namespace warpwright {

/// Words of C++, and those of the texts of all kernels that are ours.
[[nodiscard]] const QSet<QString> &reservedWords();
/// Of the texts around a library's call, and of products of ours.
[[nodiscard]] const QSet<QString> &structuredOpWords();
/// Of the texts of attention.
[[nodiscard]] const QSet<QString> &attentionWords();
/// Of the texts of sorted rows.
[[nodiscard]] const QSet<QString> &sortWords();

} // namespace warpwright
