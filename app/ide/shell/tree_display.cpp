// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/tree_display.h"

#include "app/ide/agent/agent_controller.h"
#include "app/ide/history/iterations_panel.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/shell/displayed_iterations.h"
#include "app/ide/workbench/workbench.h"

namespace warpwright {

TreeDisplay::TreeDisplay(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {}

// Of the live text, and not in the tree of a past run.
void TreeDisplay::showProposal() {
    m_parts.iterations.setProposal(
        m_agent != nullptr && m_parts.bench.shown().replay.isEmpty() ? m_agent->proposal() : std::nullopt);
}

void TreeDisplay::showRecords() {
    const SharedTree tree = m_parts.shown.tree();
    m_parts.iterations.setTree(tree);
    m_parts.profile.showTree(tree);
    const int first = m_agent == nullptr ? 0 : m_agent->measuredFirst();
    m_parts.iterations.setChecked(tree != m_parts.bench.tree() ? 0
                                  : first > 0                  ? first
                                                               : m_parts.bench.checkedIteration(),
                                  first > 0);
    emit recordsShown(); // who says how many there are
}

// Before its first proposal a run measures the text, which may take minutes.
void TreeDisplay::showMeasuredFirst() {
    const int number = m_agent->measuredFirst();
    const StageProgress now = m_agent->work().value_or(StageProgress());
    m_parts.build.setMeasuredByRun(number > 0 ? &now : nullptr);
    if (number > 0 || m_agent->isRunning())
        m_parts.iterations.setChecked(number, true);
}

} // namespace warpwright
