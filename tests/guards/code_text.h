// SPDX-License-Identifier: GPL-3.0-or-later
// C++ as a scan for braces needs it: what is no code is blank.
#pragma once

#include <QString>
#include <QStringList>

namespace warpwright {

/// Comments, literals and the preprocessor's lines are blanks; every line break stays where it was.
QString codeText(const QStringList &lines);

} // namespace warpwright
