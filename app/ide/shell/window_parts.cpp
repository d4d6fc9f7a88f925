// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/window_parts.h"

#include "app/ide/history/replay_controller.h"
#include "app/ide/workbench/workbench.h"

namespace warpwright {

SharedTree shownTree(const WindowParts &parts) {
    const bool isReplay =
        parts.replay != nullptr && parts.replay->isOpen() && !parts.replay->records().empty();
    return isReplay ? parts.replay->tree() : parts.bench->tree();
}

void showIteration(const WindowParts &parts, int number) {
    if (parts.replay->isOpen())
        parts.replay->goToIteration(number);
    else
        parts.bench->showIteration(number);
}

} // namespace warpwright
