// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/measured/counter_controller.h"
#include "app/ide/measured/measured_bar.h"
#include "toolchain/findings/finding.h"

namespace warpwright {

class Actions;

/// What the bars above the measured pages say: what runs, of what text a page is, and what would bring more.
struct BarNeeds {
    const CounterController &controller;
    const Actions &actions;
    int edits = 0;              ///< since the shown text was checked
    bool isOfOlderText = false; ///< what the compiler and findings say is of the text before them
    bool isPast = false;        ///< an event of a past run is shown: nothing can be measured
    bool canCollect = true;     ///< this machine has what counts
};

/// Each is empty where its page shows an empty state, which says the same at length.
[[nodiscard]] MeasuredBar::Content countersBar(const BarNeeds &needs);
[[nodiscard]] MeasuredBar::Content timelineBar(const BarNeeds &needs);
[[nodiscard]] MeasuredBar::Content whyBar(const BarNeeds &needs, const Findings &findings);
[[nodiscard]] MeasuredBar::Content occupancyBar(const BarNeeds &needs);

} // namespace warpwright
