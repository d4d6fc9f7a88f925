// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of nodes that reach each other along a graph's arrows.
#pragma once

#include <QVector>

namespace warpwright {

/// `arrows[node]` are the nodes that it points to. Groups of two or more, the largest first, each in
/// ascending order. Without recursion: a chain of includes may be as long as there are files.
QVector<QVector<int>> strongComponents(const QVector<QVector<int>> &arrows);

} // namespace warpwright
