// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/environment/tool_versions.h"

#include <QRegularExpression>
#include <QTimer>

namespace warpwright {

QString versionIn(const QByteArray &text) {
    static const QRegularExpression forms[] = {
        // nvcc and its tools: "Cuda compilation tools, release 13.0, V13.0.88"
        QRegularExpression(QStringLiteral("\\bV([0-9]+(?:\\.[0-9]+)+)")),
        QRegularExpression(QStringLiteral("\\bversion ([0-9]+(?:\\.[0-9]+)+)")),
        QRegularExpression(QStringLiteral("\\b([0-9]+(?:\\.[0-9]+)+)")),
    };
    for (const QRegularExpression &form : forms) {
        if (const auto match = form.match(QString::fromUtf8(text)); match.hasMatch())
            return match.captured(1);
    }
    return {};
}

ToolVersions::ToolVersions(QStringList programs, QObject *parent)
    : QObject(parent), m_programs(std::move(programs)) {
    m_programs.removeAll(QString());
    m_programs.removeDuplicates();
}

void ToolVersions::start() {
    m_pending = m_programs.size();
    for (const QString &program : m_programs) {
        auto *process = new ChildProcess(this);
        m_processes.append(process);
        connect(process, &ChildProcess::finished, this, [this, program](const ProcessOutcome &outcome) {
            m_versions.insert(program, versionIn(outcome.standardOutput + outcome.standardError));
            oneDone();
        });
        connect(process, &ChildProcess::failed, this, &ToolVersions::oneDone);
        ProcessRequest request;
        request.program = program;
        request.arguments = QStringList{QStringLiteral("--version")};
        request.timeLimitMs = 10000;
        request.outputLimitBytes = 65536;
        process->start(request);
    }
    if (m_programs.isEmpty())
        QTimer::singleShot(0, this, [this] { emit finished(m_versions); });
}

void ToolVersions::cancel() {
    for (ChildProcess *process : m_processes)
        process->cancel();
}

void ToolVersions::oneDone() {
    if (--m_pending == 0)
        emit finished(m_versions);
}

} // namespace warpwright
