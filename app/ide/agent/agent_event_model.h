// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/agent_view.h"

#include <QAbstractListModel>
#include <QHash>

namespace warpwright {

/// What happened in a run, in order. Grows at its end; a message that is being written grows in its place.
class AgentEventModel : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;

    void clear();
    void append(const std::vector<AgentEvent> &events);
    /// Takes the place of the one with its id, which is there: a message grows, a tool has ended.
    void update(const AgentEvent &event);

    [[nodiscard]] const AgentEvent &event(int row) const { return m_events[static_cast<std::size_t>(row)]; }
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    std::vector<AgentEvent> m_events;
    QHash<int, int> m_rows; ///< by id
};

/// "Succeeded", for those who do not see the icon.
[[nodiscard]] QString outcomeWord(AgentEvent::Outcome outcome);

} // namespace warpwright
