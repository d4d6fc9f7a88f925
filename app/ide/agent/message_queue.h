// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/agent_view.h"

#include <QWidget>

class QLineEdit;
class QPlainTextEdit;
class QVBoxLayout;

namespace warpwright {

class ActionButton;
class Look;

/// What a person says to the agent: a box to write in, and above it the messages that wait for the agent's
/// next turn, each of which can still be changed or taken back. Enter queues, Ctrl+Enter puts it before those
/// that wait, Shift+Enter begins a line.
class MessageQueue : public QWidget {
    Q_OBJECT
public:
    explicit MessageQueue(const Look &look, QWidget *parent = nullptr);

    /// A message that is being edited stays as the person has it.
    void setQueue(const std::vector<QueuedMessage> &queue, const QString &whyNoMessages);
    /// Who reads what is written, and what Enter does with it; both empty: an agent works, and it waits for
    /// its next turn.
    void setReader(const QString &who, const QString &enter);
    void focusBox();
    [[nodiscard]] QString unsent() const;
    void setUnsent(const QString &text);

signals:
    void queueAsked(const QString &text);
    void sendAsked(const QString &text);
    void editAsked(int id, const QString &text);
    void removeAsked(int id);

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    class KeyHints;
    void addRow(const QueuedMessage &message, int place);
    void take(bool isNow);
    void fitBox();

    const Look &m_look;
    std::vector<QueuedMessage> m_queue;
    QWidget *m_list;
    QVBoxLayout *m_rows;
    QPlainTextEdit *m_box;
    KeyHints *m_hints;
    QString m_who;
    ActionButton *m_send;
};

} // namespace warpwright
