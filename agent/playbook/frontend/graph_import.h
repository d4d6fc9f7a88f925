// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"
#include "toolchain/base/data_folders.h"
#include "toolchain/base/json.h"
#include "toolchain/process/child_process.h"

#include <QElapsedTimer>
#include <QObject>

#include <memory>

namespace warpwright {

/// Reads a reference as a graph, by the user's own interpreter and torch in a process of its own.
///
/// Each start() ends in exactly one of finished() and failed(), also after a cancel(). A reference that
/// cannot be read is a graph that says why; failed() is about the interpreter and the machine.
class GraphImporter : public QObject {
    Q_OBJECT
public:
    explicit GraphImporter(QObject *parent = nullptr);
    ~GraphImporter() override;

    /// `interpreter`: has torch. `resources`: contains playbook/read_reference.py.
    void start(const QString &interpreter, const QString &resources, const QString &modelFile);
    void cancel();
    /// The reason, which names an operator, plus where forward calls it first.
    [[nodiscard]] QString withCallSite(const QString &reason) const;

signals:
    void finished(const std::shared_ptr<const warpwright::ReferenceGraph> &graph);
    void failed(const QString &message);
    /// Once, for a slow import: what the reader is doing.
    void progressed(const QString &message);

private:
    void readProgress(const QByteArray &bytes);
    void read(const ProcessOutcome &outcome);
    void parse(const QByteArray &text);
    [[nodiscard]] QString failureMessage(const QString &words) const;

    std::unique_ptr<ChildProcess> m_process;
    QString m_model;
    QByteArray m_line;                 ///< incomplete line of standard error
    QString m_at;                      ///< last progress that the reader reported
    Json m_callSites = Json::object(); ///< by torch function: operator, module and line of its first call
    bool m_isReported = false;
    bool m_isParsing = false; ///< in the thread pool
    int m_number = 0;         ///< results of an earlier number are dropped
    QElapsedTimer m_clock;
};

} // namespace warpwright
