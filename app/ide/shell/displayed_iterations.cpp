// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/displayed_iterations.h"

#include "app/ide/history/replay_controller.h"
#include "app/ide/workbench/workbench.h"

namespace warpwright {

DisplayedIterations::DisplayedIterations(Workbench &bench, QObject *parent)
    : QObject(parent), m_bench(bench) {}

SharedTree DisplayedIterations::tree() const {
    const bool isReplay = m_replay != nullptr && m_replay->isOpen() && !m_replay->records().empty();
    return isReplay ? m_replay->tree() : m_bench.tree();
}

void DisplayedIterations::show(int number) {
    if (m_replay != nullptr && m_replay->isOpen())
        m_replay->goToIteration(number);
    else
        m_bench.showIteration(number);
}

std::optional<QString> DisplayedIterations::pastRun() const {
    if (m_replay == nullptr || !m_replay->isOpen())
        return std::nullopt;
    return m_replay->run()->run;
}

} // namespace warpwright
