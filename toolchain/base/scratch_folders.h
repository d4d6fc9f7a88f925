// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QString>

namespace warpwright {

/// <cache>/scratch/NAME: where the processes of one check may write. Whoever makes one removes it.
[[nodiscard]] QString scratchFolder(const QString &cache, const QString &name);

/// Removes those that nothing was written to for a day before `now`: a killed program left them. No check
/// takes that long. What cannot be removed stays, and is tried again.
void removeForgottenScratch(const QString &cache, const QDateTime &now = QDateTime::currentDateTimeUtc());

} // namespace warpwright
