// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/mcp/workspace_submission.h"
#include "agent/session/evaluation_measurer.h"
#include "agent/tools/toolbox.h"
#include "toolchain/process/lifetime_lock.h"

#include <deque>
#include <memory>

namespace warpwright {

/// One workspace for the clients of one server: a copy of its text that is theirs, and the tools in it. Calls
/// are carried out one after the other. Several servers do not meet: each has a copy and shadows of its own,
/// which a later one finds warm.
class ServedWorkspace : public QObject {
    Q_OBJECT
public:
    /// `request`: with which is measured; all but the path.
    ServedWorkspace(Workspace workspace, const EvaluationRequest &request, QObject *parent = nullptr);
    ~ServedWorkspace() override;

    /// `name`: of a tool, or "open_workspace", which lays the copy out anew.
    void call(const QString &id, const QString &name, const Json &arguments, const QString &client);
    /// A submission that is being written is not cancelled any more: it ends as written.
    void cancel(const QString &id);

signals:
    void progress(const QString &id, const QString &text, int index, int count);
    void ended(const QString &id, const warpwright::ToolAnswer &answer);

private:
    struct Call {
        QString id;
        QString name;
        Json arguments;
        QString client;
    };
    void startNext();
    void open();
    void opened(const Result<ReadWorkspace> &read);
    void submit(const QString &id, const ToolSubmission &submission);
    void measure();
    void takeMeasured(int number, const Evaluation &evaluation, const QString &log);
    void judge(const Evaluation &evaluation, const QString &log);
    void write(const Evaluation &evaluation, const ToolAnswer &measured);
    void end(const ToolAnswer &answer);

    Workspace m_workspace;
    int m_slot = 0;
    std::unique_ptr<LifetimeLock> m_slotLock;
    std::unique_ptr<EvaluationMeasurer> m_measurer;
    std::unique_ptr<Toolbox> m_toolbox;
    AgentRequest m_request; ///< what the copy was made from
    bool m_isOpen = false;
    std::deque<Call> m_waiting;
    std::optional<Call> m_running;
    struct Submission {
        QString id; ///< of its call
        ToolSubmission what;
        int number = 0; ///< of its measurement; 0: none runs
        bool isBeingWritten = false;
    };
    std::optional<Submission> m_submission;
    std::optional<Evaluation> m_last; ///< of the copy, with its times; it need not be made again
};

} // namespace warpwright
