// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/mcp/tool_queue.h"

#include <QTimer>

#include <algorithm>

namespace warpwright {

ToolQueue::ToolQueue(Toolbox &toolbox, QObject *parent) : QObject(parent), m_toolbox(toolbox) {
    connect(&m_toolbox, &Toolbox::ended, this, [this](const QString &id, const ToolAnswer &answer) {
        if (id != m_running)
            return;
        m_running.clear();
        startNext();
        emit ended(id, answer);
    });
}

void ToolQueue::call(const QString &id, const QString &name, const Json &arguments) {
    m_waiting.push_back({id, name, arguments});
    startNext();
}

void ToolQueue::startNext() {
    if (!m_running.isEmpty() || m_waiting.empty())
        return;
    const Waiting next = m_waiting.front();
    m_waiting.pop_front();
    m_running = next.id;
    m_toolbox.call(next.id, next.name, next.arguments);
}

void ToolQueue::cancel(const QString &id) {
    if (id == m_running)
        return m_toolbox.cancel();
    const auto found =
        std::find_if(m_waiting.begin(), m_waiting.end(), [&id](const Waiting &one) { return one.id == id; });
    if (found == m_waiting.end())
        return;
    m_waiting.erase(found);
    QTimer::singleShot(0, this, [this, id] {
        emit ended(id, {ToolAnswer::Outcome::Cancelled, QStringLiteral("Cancelled."), Json()});
    });
}

void ToolQueue::cancelAll() {
    const std::deque<Waiting> waiting = m_waiting;
    for (const Waiting &one : waiting)
        cancel(one.id);
    if (!m_running.isEmpty())
        m_toolbox.cancel();
}

} // namespace warpwright
