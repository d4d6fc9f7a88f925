// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/agent_event_model.h"

namespace warpwright {

QString outcomeWord(AgentEvent::Outcome outcome) {
    switch (outcome) {
    case AgentEvent::Running:
        return AgentEventModel::tr("running");
    case AgentEvent::Succeeded:
        return AgentEventModel::tr("succeeded");
    case AgentEvent::Failed:
        return AgentEventModel::tr("failed");
    case AgentEvent::Denied:
        return AgentEventModel::tr("denied");
    case AgentEvent::Cancelled:
        return AgentEventModel::tr("stopped");
    }
    return {};
}

void AgentEventModel::clear() {
    beginResetModel();
    m_events.clear();
    m_rows.clear();
    endResetModel();
}

void AgentEventModel::append(const std::vector<AgentEvent> &events) {
    if (events.empty())
        return;
    const int first = rowCount();
    beginInsertRows({}, first, first + static_cast<int>(events.size()) - 1);
    for (const AgentEvent &event : events) {
        m_rows[event.id] = static_cast<int>(m_events.size());
        m_events.push_back(event);
    }
    endInsertRows();
}

void AgentEventModel::update(const AgentEvent &event) {
    const int row = m_rows.value(event.id, -1);
    Q_ASSERT(row >= 0);
    m_events[static_cast<std::size_t>(row)] = event;
    emit dataChanged(index(row), index(row));
}

int AgentEventModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_events.size());
}

QVariant AgentEventModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::AccessibleTextRole))
        return {};
    const AgentEvent &event = this->event(index.row());
    const auto listed = [](QStringList words) {
        words.removeAll(QString());
        return words.join(QStringLiteral(", "));
    };
    if (event.kind == AgentEvent::Message)
        return listed({event.author, event.time, event.thought}) + QStringLiteral(": ") + event.text;
    const QString called = event.about.isEmpty() ? event.name : event.name + QLatin1Char(' ') + event.about;
    return listed({called, outcomeWord(event.outcome), event.result});
}

} // namespace warpwright
