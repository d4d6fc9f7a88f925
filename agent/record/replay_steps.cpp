// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/replay_steps.h"

#include "agent/record/event_summary.h"

namespace warpwright {
namespace {

bool isOneOf(const QString &kind, std::initializer_list<const char *> kinds) {
    for (const char *one : kinds)
        if (kind == QLatin1String(one))
            return true;
    return false;
}

/// What an agent says and does on its way to a proposal.
bool isOnTheWay(const TrajectoryEvent &event) {
    return isOneOf(event.kind, {"plan", "tool-call", "usage", "agent-memory"}) ||
           (event.kind == QLatin1String("message") && event.text("role") == QLatin1String("agent"));
}

bool isDeed(const QString &kind) {
    return isOneOf(kind, {"proposal", "hand-edit", "restored"});
}

bool isAnswer(const QString &kind) {
    return isOneOf(kind, {"decision", "applied", "iteration", "policy", "step"});
}

} // namespace

bool ReplaySteps::beginsOne(const TrajectoryEvent &event) const {
    if (m_steps.empty() || isOneOf(event.kind, {"run-began", "run-continued"}))
        return true;
    if (event.kind == QLatin1String("proposal"))
        return m_hasDeed;
    // A person may edit while a proposal lies open: that belongs to it.
    if (isDeed(event.kind))
        return m_isDecided || m_steps.back().proposal.isEmpty();
    return isOnTheWay(event) && (m_isDecided || (m_hasDeed && m_steps.back().proposal.isEmpty()));
}

void ReplaySteps::add(const TrajectoryEvent &event) {
    const QString summary = eventSummary(event);
    if (beginsOne(event)) {
        m_steps.push_back({event.number, event.number, summary, {}, 0, {}});
        // What an agent says first is the beginning of its first proposal, not a step of its own.
        m_hasDeed = isOneOf(event.kind, {"run-began", "run-continued"});
        m_isDecided = m_hasDeed;
    }
    ReplayStep &step = m_steps.back();
    step.last = event.number;
    if (event.kind != QLatin1String("agent-memory")) // it says again what other events say
        step.happened << summary;
    if (event.kind == QLatin1String("proposal")) {
        step.proposal = event.text("proposal");
        if (const QString title = event.text("title"); !title.isEmpty())
            step.title = title;
    } else if (event.kind == QLatin1String("hand-edit") && step.proposal.isEmpty()) {
        step.title = summary;
    }
    if (event.kind == QLatin1String("iteration"))
        step.iteration = static_cast<int>(event.integer("number"));
    m_hasDeed = m_hasDeed || isDeed(event.kind);
    m_isDecided = m_isDecided || isAnswer(event.kind);
}

} // namespace warpwright
