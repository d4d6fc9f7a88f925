// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <vector>

namespace warpwright {

enum class Literals { Kept, Blanked };

/// A C++ or CUDA source for whoever looks for words in it: what a compiler may read of it.
///
/// Comments are blanked, and so is what lies behind #if 0; every line stays on its line. There is always an
/// answer, also of a text with CR LF or a literal without an end; a hash wants textWithoutComments().
struct ScannedText {
    QString code; ///< an include keeps its name, also where literals are blanked
    /// By line, from 0: it is part of a macro, or behind a condition that the text alone does not decide.
    std::vector<bool> isUnsure;

    [[nodiscard]] int lineAt(qsizetype place) const; ///< from 1
};

[[nodiscard]] ScannedText scanText(const QByteArray &text, Literals literals);

} // namespace warpwright
