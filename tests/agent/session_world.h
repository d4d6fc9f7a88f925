// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/script/script_agent.h"
#include "agent/session/session.h"
#include "tests/toolchain/scratch.h"

#include <deque>
#include <memory>

/// Keeps a run's events in memory.
class MemoryRecorder : public warpwright::Recorder {
public:
    std::vector<std::pair<QString, warpwright::Json>> events;
    QString refusal; ///< not empty: what the disk says

    [[nodiscard]] warpwright::Result<void> append(const QString &kind, const warpwright::Json &body) override;
    [[nodiscard]] int count(const QString &kind) const;
    [[nodiscard]] warpwright::Json last(const QString &kind) const;
};

/// Reads a time out of the text instead of measuring: «// time 80» in kernels/a.cu. «// wrong»,
/// «// broken» and «// unsure» (inconclusive) give those verdicts. Goes through all stages, one a turn of the
/// event loop.
class TextMeasurer : public warpwright::Measurer {
    Q_OBJECT
public:
    int measure(const warpwright::Measurement &measurement) override;
    void cancel(int number) override;
    [[nodiscard]] bool isIdle() const override { return m_queue.empty(); }

    QString torch = QStringLiteral("2.11"); ///< that measures
    bool isHeld = false;                    ///< begins nothing until release()
    /// What a measurement brings that collects, or traces; none: it cannot be done here.
    warpwright::SharedCounters counters;
    std::optional<warpwright::Timeline> timeline;
    QString textHash; ///< that evaluations say they are of
    void release();
    std::vector<warpwright::Measurement> asked;

private:
    struct Waiting {
        int number = 0;
        warpwright::Measurement measurement;
        int stage = 0;
        bool isCancelled = false;
    };
    void step();
    void tellOfTools(const Waiting &done, warpwright::Evaluation &evaluation);
    std::deque<Waiting> m_queue;
    int m_last = 0;
    bool m_isStepping = false;
};

/// A workspace with one kernel of forty lines, a script of steps for it, and a session over both.
class SessionWorld {
public:
    SessionWorld();

    [[nodiscard]] static QByteArray kernel(const std::map<int, QByteArray> &changed = {});
    /// A step that changes these lines of kernels/a.cu (of the text after the steps before it).
    void addStep(const std::map<int, QByteArray> &lines,
                 const warpwright::Json &words = warpwright::Json::object());
    void open(warpwright::SessionMode mode, const warpwright::RunBudgets &budgets = {});
    /// As a program does that was started after the one before died: from the record alone.
    [[nodiscard]] bool goOn();
    [[nodiscard]] QByteArray onDisk() const;
    void typeOnDisk(int line, const QByteArray &text) const;
    [[nodiscard]] bool waitFor(warpwright::SessionState state) const;
    [[nodiscard]] std::vector<warpwright::IterationRecord> history() const;

    Scratch scratch;
    QString folder;
    QString script;
    MemoryRecorder recorder;
    TextMeasurer measurer;
    std::unique_ptr<warpwright::ScriptAgent> agent;
    std::unique_ptr<warpwright::Session> session;
    std::vector<warpwright::ScoredProposal> scored;
    std::vector<QString> troubles;
    std::optional<std::pair<warpwright::SessionEnd, QString>> end;

private:
    void begin(warpwright::SessionSetup setup);

    std::map<int, QByteArray> m_lines;
    int m_steps = 0;
};
