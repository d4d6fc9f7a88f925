// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of task_session.h that starts the reference anew.
#include "referee/task/task_session.h"

#include <utility>

namespace warpwright {

namespace {

constexpr double limitSeconds = 120.0;

} // namespace

void TaskSession::startReferenceAnew() {
    if (m_reference->isAlive())
        return;
    auto another = startWorker(*m_forkServer, m_reference->role());
    another->call("load_reference", loading({{"path", m_model}}), limitSeconds);
    // Which of its buffers are tables shows in what it was made with: by no distance, it looks at them now.
    another->call("nudge_state", {{"seed", 0}, {"distance", 0.0}}, limitSeconds);
    m_weights->hand(*another);
    handOver(*another, "inputs", *m_inputs);
    m_reference = std::move(another);
    m_weights->setReference(*m_reference);
}

} // namespace warpwright
