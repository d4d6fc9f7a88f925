// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/reference_graph.h"
#include "toolchain/child_process.h"
#include "toolchain/data_folders.h"

#include <QObject>

#include <memory>

namespace warpwright {

/// Reads a reference as a graph, by the user's own interpreter and torch in a process of its own.
///
/// Each start() ends in exactly one of finished() and failed(), also after a cancel(). A reference that
/// cannot be read is a graph that says why; failed() is about the interpreter and the machine.
class ReferenceReader : public QObject {
    Q_OBJECT
public:
    explicit ReferenceReader(QObject *parent = nullptr);
    ~ReferenceReader() override;

    /// `interpreter`: with torch. `resources`: where playbook/read_reference.py lies.
    void start(const QString &interpreter, const QString &resources, const QString &modelFile);
    void cancel();

signals:
    void finished(const warpwright::ReferenceGraph &graph);
    void failed(const QString &message);

private:
    void read(const ProcessOutcome &outcome);

    std::unique_ptr<ChildProcess> m_process;
    QString m_model;
};

} // namespace warpwright
