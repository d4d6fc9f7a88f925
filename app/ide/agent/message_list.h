// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/agent/message_row.h"

#include <QAbstractScrollArea>
#include <QElapsedTimer>
#include <QTimer>

#include <deque>

namespace warpwright {

class AgentEventModel;

/// What an agent said and did, scrolling; below the last row a widget of the owner that scrolls along. Rows
/// are laid out when they come into view: what is far away has a guessed height, and what is seen does not
/// move when the guess was wrong. At its end it follows what comes; a person who scrolled up stays there.
class MessageList : public QAbstractScrollArea {
    Q_OBJECT
public:
    MessageList(const Look &look, AgentEventModel &model, QWidget *parent = nullptr);
    ~MessageList() override;

    /// Below the last row, as tall as it asks for; becomes ours.
    void setTail(QWidget *tail);
    /// The tail wants another height.
    void refit();
    [[nodiscard]] bool isAtEnd() const;
    void goToEnd();
    /// The last row and the tail come into sight, from the row's first line on where both have no room.
    void goToLast();
    /// Of the tail from `from` down to `part`; where both have no room, `part`.
    void showInTail(const QWidget *from, const QWidget *part);
    /// A person has scrolled away from the end just now, or goes through the rows by key: what comes does not
    /// take the view from them.
    [[nodiscard]] bool isBeingRead() const;
    /// What was read there is dealt with.
    void forgetReading() { m_scrolled.invalidate(); }
    /// Unfolded and in sight; the keys go on from it.
    void showRow(int row);
    [[nodiscard]] int currentRow() const { return m_current; } ///< -1: none
    [[nodiscard]] const AgentEventModel &events() const { return m_model; }
    /// Laid out by now, for tests: the work is in proportion to it.
    [[nodiscard]] int laidOutRows() const { return m_laidOut; }

signals:
    void linkActivated(const QString &address);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    [[nodiscard]] QSize minimumSizeHint() const override;

private:
    struct Row {
        int height = 0;
        bool isMeasured = false;
        bool isOpen = false;
        std::unique_ptr<MessageRow> laid;
    };

    void reset();
    void forgetLayout();
    void settle();
    void reveal(const QWidget *part);
    bool measure(int row);
    void sum();
    void dropFar(int first, int last);
    [[nodiscard]] int guess(const AgentEvent &event) const;
    [[nodiscard]] int rowAt(int y) const;
    [[nodiscard]] int tailHeight() const;
    void toggle(int row);
    void copy(const AgentEvent &event) const;
    void setCurrent(int row);

    const Look &m_look;
    AgentEventModel &m_model;
    std::deque<Row> m_rows;
    std::vector<int> m_tops; ///< of each row, and the end of the last
    QWidget *m_tail = nullptr;
    QTimer m_settling;
    int m_current = -1;
    int m_laidOut = 0;
    bool m_showsFocus = false;
    bool m_isSettling = false;
    bool m_followsEnd = true;
    QElapsedTimer m_scrolled; ///< by hand
};

} // namespace warpwright
