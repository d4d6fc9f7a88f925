// SPDX-License-Identifier: GPL-3.0-or-later
// Says which types are defined in two headers: where one program links both, the compiler may take the
// destructor of the one for the other's, and nobody is told.
#pragma once

#include "tests/guards/cpp_outline.h"

namespace warpwright {

/// Classes of headers that have the name of another header's. Namespaces are not looked at, but for classes
/// around them; classes of sources stand in namespaces without a name. Not specializations. One of `outlines`
/// a file.
QStringList typesDefinedTwice(const QVector<GuardFile> &files, const QVector<CppOutline> &outlines);

} // namespace warpwright
