// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/environment/python_environment.h"
#include "toolchain/process/child_process.h"

#include <QDateTime>
#include <QObject>

namespace warpwright {

/// Asks an interpreter about itself and its torch, in a child process and without touching CUDA.
/// It does not import torch (0.1 s instead of 2 s) unless asked to, as doctor does to see that the libraries
/// load.
class PythonProbe : public QObject {
    Q_OBJECT
public:
    explicit PythonProbe(PythonChoice choice, QString resources, QObject *parent = nullptr);

    void start(bool importsTorch = false);
    void cancel();

signals:
    void finished(const warpwright::PythonEnvironment &environment);
    void failed(const QString &message);

private:
    void read(const ProcessOutcome &outcome);
    void answered(const QByteArray &json);

    PythonChoice m_choice;
    QString m_resources;
    ProcessRequest m_request;
    bool m_isWorthKeeping = false;
    QDateTime m_askedAt;
    ChildProcess m_process;
};

} // namespace warpwright
