// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/schedule/thread_mapping.h"

#include <QString>

namespace warpwright {

/// Why the threads of the generic kernel share its work as `mapping` says, for the comment at its file's
/// head.
[[nodiscard]] QString mappingRationale(const Kernel &kernel, const ThreadMapping &mapping);

/// The same of a scan by a block per row.
extern const QString blockScanRationale;

} // namespace warpwright
