// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/layout/unkept_evaluations.h"

#include "app/ide/job.h"
#include "toolchain/evaluation_store.h"
#include "toolchain/iteration_store.h"

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
            const auto tried = std::find_if(m_waiting.begin(), m_waiting.end(),
                                            [&id](const Unkept &some) { return some.evaluation.id == id; });
            if (tried != m_waiting.end() && isKept) {
                m_waiting.erase(tried);
            } else {
                // Another workspace may lie on a disk that has room. Those of one keep their order.
                const auto other = std::find_if(m_waiting.begin(), m_waiting.end(),
                                                [&state](const Unkept &some) { return some.state != state; });
                if (other != m_waiting.end())
                    std::rotate(m_waiting.begin(), other, other + 1);
            }
            if (!m_waiting.empty() && !m_again.isActive())
                m_again.start();
            if (isKept)
                emit kept(state, iteration);
        });
}

} // namespace warpwright
