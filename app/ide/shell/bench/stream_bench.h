// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent.h"

#include <QTimer>

#include <memory>

namespace warpwright {

class EventMeter;
class MainWindow;

/// A run of an agent that never stops talking: what the window's events cost while a diff of 2,000 lines
/// lies open and 200 tokens a second come in, with thoughts, tool calls and numbers between them. Two phases
/// of the meter: "review", from the proposal until it lies in the editor, and "stream".
class StreamBench : public QObject {
    Q_OBJECT
public:
    static constexpr int tokensPerSecond = 200;
    static constexpr int seconds = 10;
    static constexpr int hunks = 50;
    static constexpr int linesPerHunk = 20; ///< old ones, and as many new ones

    StreamBench(EventMeter &meter, MainWindow &window, QObject *parent = nullptr);

    /// The text whose lines the agent changes; to be in the workspace before it is opened. In comments, so
    /// that it compiles.
    [[nodiscard]] static QByteArray longText(const QByteArray &before);
    /// Once, in the open workspace.
    void start();

signals:
    void finished();
    void failed(const QString &why);

private:
    class Talker;
    void beginStream();
    void say();

    EventMeter &m_meter;
    MainWindow &m_window;
    std::shared_ptr<Talker> m_agent;
    QTimer m_pace;
    int m_said = 0;
};

} // namespace warpwright
