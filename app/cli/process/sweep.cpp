// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/process/sweep.h"

#include "app/cli/process/terminal.h"
#include "toolchain/process/processes_below.h"

#include <QEventLoop>

#include <unistd.h>

namespace warpwright {

void sweep(bool atOnce) {
    QEventLoop loop;
    ProcessCleanup cleanup;
    QObject::connect(&cleanup, &ProcessCleanup::finished, &loop,
                     [&loop](const std::vector<ProcessFact> &left) {
                         for (const ProcessFact &fact : left)
                             print(STDERR_FILENO, QStringLiteral("still there: %1\n").arg(describe(fact)));
                         loop.quit();
                     });
    cleanup.start(atOnce ? 0 : 1000, 5000);
    loop.exec();
}

} // namespace warpwright
