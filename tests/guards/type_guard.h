// SPDX-License-Identifier: GPL-3.0-or-later
// Says which types are defined in two files: where one program links both, the compiler may take the
// destructor of the one for the other's, and nobody is told.
#pragma once

#include "tests/guards/cpp_outline.h"

namespace warpwright {

/// Classes and enums that have the name of another file's. Names of namespaces are not looked at, but what
/// stands in one without a name is no other file's. Not specializations, and not what a macro makes. One of
/// `outlines` a file.
QStringList typesDefinedTwice(const QVector<GuardFile> &files, const QVector<CppOutline> &outlines);

} // namespace warpwright
