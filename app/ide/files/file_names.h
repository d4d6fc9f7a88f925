// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace warpwright {

/// How the candidate's files stand in tabs and lists, my text's and an iteration's alike: what a person
/// changes most comes first, fixed registration code last. `files`: relative to the workspace.
[[nodiscard]] QStringList inReadingOrder(QStringList files);

/// The name of each without its folders, with as many of them as it needs to be the only one.
[[nodiscard]] QStringList shortNames(const QStringList &files);

} // namespace warpwright
