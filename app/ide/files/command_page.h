// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/files/shell_place.h"
#include "toolchain/process/child_process.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QStringDecoder>
#include <QTimer>
#include <QWidget>

#include <memory>

class QLineEdit;

namespace warpwright {

class ActionButton;
class LogView;
class Look;
class Words;

/// A person's own command in the workspace's folder, by bash, with what it says as it comes. It runs as the
/// person who sits there: nothing of it is evaluated, trusted or kept.
class CommandPage : public QWidget {
    Q_OBJECT
public:
    CommandPage(const Look &look, QWidget *parent);

    /// Where the next command runs; empty: nowhere. In another folder what runs is stopped, and what was said
    /// is gone.
    void setPlace(const ShellPlace &place);
    void focusLine();
    void run(const QString &command);
    /// A line of ours below what the last command said.
    void say(const QString &words);
    void stop();
    [[nodiscard]] bool isRunning() const { return m_process != nullptr; }
    /// The last one last.
    [[nodiscard]] const QStringList &history() const { return m_history; }
    void setHistory(const QStringList &history) { m_history = history; }

signals:
    void placeActivated(const QString &file, int line, int column);
    void ended();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void take(QStringDecoder &decoder, QString &rest, const QByteArray &bytes);
    void flush(int atMost);
    void end(const QString &words);
    void forget();
    void describe();
    void restyle();
    void recall(int by);

    const Look &m_look;
    ShellPlace m_place;
    QLineEdit *m_line;
    ActionButton *m_button;
    Words *m_words;
    LogView *m_log;
    ChildProcess *m_process = nullptr;
    QStringDecoder m_out;
    QStringDecoder m_error;
    QString m_outRest; ///< of a line whose end has not come
    QString m_errorRest;
    QStringList m_waiting; ///< lines that are not shown yet
    bool m_hasLeftOut = false;
    QString m_ending; ///< how it went, once all lines are shown
    QString m_last;
    QTimer m_flush;
    QElapsedTimer m_since;
    QStringList m_history;
    qsizetype m_recalled = 0; ///< how far back; 0: what is being typed
    QString m_typed;
};

} // namespace warpwright
