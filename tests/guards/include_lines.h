// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of a C++ file that include another.
#pragma once

#include "tests/guards/guard_file.h"

namespace warpwright {

struct IncludeLine {
    enum class Kind { Quoted, Angled, Computed };
    int line = 0; ///< from 1
    Kind kind = Kind::Computed;
    QString name; ///< between its signs; of a computed one what stands there
};

/// Of #include, #import and #include_next, also as a compiler reads them that knows "%:", comments between
/// the words and lines that go on. None within a comment or a literal.
QVector<IncludeLine> includeLines(const GuardFile &file);

} // namespace warpwright
