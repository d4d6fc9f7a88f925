// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/workbench/unkept_evaluations.h"

#include "app/ide/workbench/job.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/history/iteration_store.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr int triesAgainMs = 10000;

} // namespace

UnkeptEvaluations::UnkeptEvaluations(QObject *parent) : QObject(parent) {
    m_again.setSingleShot(true);
    m_again.setInterval(triesAgainMs);
    connect(&m_again, &QTimer::timeout, this, &UnkeptEvaluations::tryNow);
}

void UnkeptEvaluations::add(const QString &state, int iteration, const Evaluation &evaluation) {
    Unkept unkept{state, iteration, evaluation};
    // On the disk it would be a lie.
    unkept.evaluation.doubts.removeIf(isDoubtOfUnkept);
    m_waiting.push_back(std::move(unkept));
    if (m_waiting.size() > std::size_t{most})
        m_waiting.erase(m_waiting.begin());
    if (!m_again.isActive())
        m_again.start();
}

void UnkeptEvaluations::tryNow() {
    if (m_waiting.empty())
        return;
    inPool(
        this,
        [unkept = m_waiting.front()] {
            const Result<QString> stored = EvaluationStore(unkept.state).store(unkept.evaluation);
            if (!stored.hasValue())
                return false;
            return unkept.iteration == 0 ||
                   IterationStore(unkept.state).link(unkept.iteration, unkept.evaluation.id).hasValue();
        },
        [this, state = m_waiting.front().state, iteration = m_waiting.front().iteration,
         id = m_waiting.front().evaluation.id](bool isKept) {
            if (!isKept) // so would the rest of its workspace; another one may lie on another disk
                std::stable_partition(m_waiting.begin(), m_waiting.end(),
                                      [&state](const Unkept &some) { return some.state != state; });
            else if (std::erase_if(m_waiting, [&id](const Unkept &some) { return some.evaluation.id == id; }))
                emit kept(state, iteration);
            if (!m_waiting.empty() && !m_again.isActive())
                m_again.start();
        });
}

} // namespace warpwright
