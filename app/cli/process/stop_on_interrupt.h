// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/process/interrupt.h"
#include "app/cli/process/progress_line.h"
#include "toolchain/process/processes_below.h"

#include <csignal>

namespace warpwright {

/// What Ctrl-C means to a command: the first one stops the run, the second one kills all that it started. The
/// run then hears that its processes are gone, and ends at once with what it has.
template <typename Run>
void stopOnInterrupt(Interrupt &interrupt, Run &run, ProgressLine &progress) {
    QObject::connect(&interrupt, &Interrupt::stopAsked, &run, [&run, &progress] {
        progress.clear();
        run.cancel();
    });
    QObject::connect(&interrupt, &Interrupt::killAsked, &run, [] { signalProcessesBelow(SIGKILL); });
}

} // namespace warpwright
