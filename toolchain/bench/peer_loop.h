// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/process/child_process.h"

#include <QObject>

#include <vector>

namespace warpwright {

/// Seconds by name, in the order in which they passed.
using PhaseSeconds = std::vector<std::pair<QString, double>>;

/// One turn of CUDA-Agent's loop: compile, verify, profile, each a process of its own as in its scripts.
///
/// A workspace that brings utils/ is measured by these; else resources/bench/peer_steps.py makes the same
/// calls of torch. Ends in exactly one of finished() or failed(); cancel() ends in failed().
class PeerLoop : public QObject {
    Q_OBJECT
public:
    struct Request {
        QString folder; ///< a workspace of its own: the steps write into it
        QString interpreter;
        QString script; ///< peer_steps.py
        bool hasUtils = false;
        bool isCuda = false;
        QString architecture; ///< "sm_90a"; empty on a CPU
        QProcessEnvironment environment;
    };

    explicit PeerLoop(Request request, QObject *parent = nullptr);

    void start();
    void cancel();

signals:
    void progress(const QString &step, int index, int count);
    void finished(double seconds, const warpwright::PhaseSeconds &phases);
    void failed(const QString &message);

private:
    void next();
    [[nodiscard]] ProcessRequest step(const QString &name) const;

    Request m_request;
    PhaseSeconds m_phases;
    ChildProcess *m_process = nullptr;
    bool m_isCancelled = false;
};

} // namespace warpwright
