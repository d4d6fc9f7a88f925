// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

/// The texts of depthwise convolutions on a GPU, with «@marks@» for depthwise_cuda to fill in.
namespace warpwright {

[[nodiscard]] QString depthwiseFileText();     ///< Around the kernel: constants, launcher.
[[nodiscard]] QString depthwiseTileText();     ///< The kernel whose blocks hold a part of the input.
[[nodiscard]] QString tilePacksText();         ///< How a block fetches it, in packs of four.
[[nodiscard]] QString tileRowsText();          ///< The same where rows do not allow that.
[[nodiscard]] QString tileBesideText();        ///< After that, where the image goes on beside its rows.
[[nodiscard]] QString depthwiseChannelsText(); ///< The kernel whose neighbouring threads are channels.
[[nodiscard]] QString tileSegmentText();       ///< A thread's part of an input row, from the block's.
[[nodiscard]] QString channelsSegmentText();   ///< The same from memory.
[[nodiscard]] QString depthwiseTapsText();     ///< What each result takes of that row.

} // namespace warpwright
