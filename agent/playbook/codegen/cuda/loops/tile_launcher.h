// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"
#include "agent/playbook/schedule/transposed_gather.h"

#include <QString>

#include <vector>

namespace warpwright {

/// Lines of a kernel of tiles with the counters of the loops outside the tile. `index`: their type.
[[nodiscard]] QString planeCounters(const Kernel &kernel, std::size_t across, const QString &index);
/// The function that launches a kernel of tiles, with a switch over their sizes.
[[nodiscard]] QString tileLauncher(const KernelSource &source, const std::vector<TileSize> &sizes);

} // namespace warpwright
