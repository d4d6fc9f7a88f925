// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "toolchain/findings/findings.h"

namespace warpwright {

/// The text whose kernels are listed.
struct ListedText {
    QString path;
    int iteration = 0; ///< 0: the text on disk
    QString python;    ///< empty: not said
};

/// Adds to what is known of a text what the compiler makes of its kernels, with progress on standard error.
/// Without nvcc, without its disassembler, for a text that does not compile: `missing` says so, and what
/// needs no listing is still there. Turns the event loop; false: the person interrupted it.
[[nodiscard]] bool addListing(const CommandContext &context, const ListedText &text, FindingInput &known,
                              QStringList &missing);

} // namespace warpwright
