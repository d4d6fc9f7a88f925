// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/shown_iterations.h"

#include "app/ide/history/replay_controller.h"
#include "app/ide/workbench/workbench.h"

namespace warpwright {

ShownIterations::ShownIterations(Workbench &bench, QObject *parent) : QObject(parent), m_bench(bench) {}

SharedTree ShownIterations::tree() const {
    const bool isReplay = m_replay != nullptr && m_replay->isOpen() && !m_replay->records().empty();
    return isReplay ? m_replay->tree() : m_bench.tree();
}

void ShownIterations::show(int number) {
    if (m_replay != nullptr && m_replay->isOpen())
        m_replay->goToIteration(number);
    else
        m_bench.showIteration(number);
}

std::optional<QString> ShownIterations::pastRun() const {
    if (m_replay == nullptr || !m_replay->isOpen())
        return std::nullopt;
    return m_replay->run()->run;
}

} // namespace warpwright
