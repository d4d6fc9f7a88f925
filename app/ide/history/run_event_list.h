// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/run_index.h"
#include "widgets/listing/long_list.h"

#include <QAbstractListModel>
#include <QHash>

#include <set>

namespace warpwright {

class Look;

/// The events of a past run by number, as the index has them: a page at a time, read in the pool when it
/// comes into sight, so that a run of any length opens at once.
class RunEventModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { NumberRole = Qt::UserRole + 1, KindRole, TimeRole };

    using QAbstractListModel::QAbstractListModel;

    /// `events`: how many there are; an empty run shows none.
    void setRun(const QString &stateFolder, const QString &run, qint64 events);
    /// Only these are rows; which they are comes from the pool.
    void setFilter(EventFilter filter);
    [[nodiscard]] qint64 numberAt(int row) const; ///< of the event; 0: no such row
    /// Of the event, or of the last one before it that is a row; −1: none is.
    [[nodiscard]] int rowOf(qint64 number) const;
    [[nodiscard]] const QString &stateFolder() const { return m_state; }
    [[nodiscard]] const QString &run() const { return m_run; }
    [[nodiscard]] qint64 count() const { return m_count; } ///< of its events, whatever is filtered
    /// Null: its page is not there yet, and was asked for.
    [[nodiscard]] const IndexedEvent *event(qint64 number) const;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

signals:
    void failed(const QString &message);
    void filtered();

private:
    void ask(int page);

    QString m_state;
    QString m_run;
    qint64 m_count = 0;
    QHash<int, std::vector<IndexedEvent>> m_pages;
    std::set<int> m_asked;
    EventFilter m_filter = EventFilter::All;
    std::vector<qint64> m_numbers; ///< that the filter leaves
    int m_filtering = 0;           ///< of the last question
};

/// The list of them: number and summary a line, proposals and changed texts in 600; a click or Enter picks.
class RunEventList : public LongList {
    Q_OBJECT
public:
    RunEventList(const Look &look, QWidget *parent = nullptr);

    [[nodiscard]] RunEventModel &events() const { return *m_model; }
    /// The event that is shown; brought into sight.
    void setCurrentEvent(qint64 number);

signals:
    void eventPicked(qint64 number);
    /// Space: play, or pause.
    void playAsked();
    /// Page Up (-1) or Page Down (1): to the mark before or behind the event that is shown.
    void pageAsked(int by);

protected:
    /// Left and Right go an event back and further as Up and Down do: no window manager takes them.
    void keyPressEvent(QKeyEvent *event) override;

private:
    const Look &m_look;
    RunEventModel *m_model;
    qint64 m_current = 0;
    bool m_isSetting = false;
};

} // namespace warpwright
