// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/bench/peer_loop.h"

#include <QRegularExpression>

namespace warpwright {
namespace {

const QStringList stepNames{QStringLiteral("compile"), QStringLiteral("verify"), QStringLiteral("profile")};
constexpr int stepLimitMs = 10 * 60 * 1000;

// "9.0a" of "sm_90a", as torch.utils.cpp_extension wants it.
QString torchArchitecture(const QString &architecture) {
    static const QRegularExpression pattern(QStringLiteral("^sm_(\\d+)(\\d)([a-z]?)$"));
    const QRegularExpressionMatch match = pattern.match(architecture);
    return match.hasMatch() ? match.captured(1) + QLatin1Char('.') + match.captured(2) + match.captured(3)
                            : QString();
}

} // namespace

PeerLoop::PeerLoop(Request request, QObject *parent) : QObject(parent), m_request(std::move(request)) {}

void PeerLoop::start() {
    next();
}

ProcessRequest PeerLoop::step(const QString &name) const {
    ProcessRequest request;
    request.workingFolder = m_request.folder;
    request.environment = m_request.environment;
    request.timeLimitMs = stepLimitMs;
    if (const QString list = torchArchitecture(m_request.architecture); !list.isEmpty())
        request.environment.insert(QStringLiteral("TORCH_CUDA_ARCH_LIST"), list);
    request.program = m_request.interpreter;
    if (!m_request.hasUtils)
        request.arguments = {m_request.script, name, m_request.folder,
                             m_request.isCuda ? QStringLiteral("cuda") : QStringLiteral("cpu")};
    else if (name == QLatin1String("compile"))
        request.arguments = {QStringLiteral("utils/compile.py")};
    else if (name == QLatin1String("verify"))
        request.arguments = {QStringLiteral("-m"), QStringLiteral("utils.verification")};
    else
        request.arguments = {QStringLiteral("-m"), QStringLiteral("utils.profiling")};
    return request;
}

void PeerLoop::next() {
    const int done = static_cast<int>(m_phases.size());
    if (m_isCancelled) {
        emit failed(QStringLiteral("stopped"));
        return;
    }
    if (done == stepNames.size()) {
        double seconds = 0;
        for (const auto &[name, took] : m_phases)
            seconds += took;
        emit finished(seconds, m_phases);
        return;
    }
    const QString &name = stepNames[done];
    emit progress(name, done + 1, static_cast<int>(stepNames.size()));
    m_process = new ChildProcess(this);
    connect(m_process, &ChildProcess::failed, this,
            [this, name](const QString &message) { emit failed(name + QStringLiteral(": ") + message); });
    connect(m_process, &ChildProcess::finished, this, [this, name](const ProcessOutcome &outcome) {
        m_process->deleteLater();
        m_process = nullptr;
        if (!outcome.succeeded() && !m_isCancelled) {
            const QString words = QString::fromUtf8(outcome.standardError + outcome.standardOutput).trimmed();
            emit failed(
                QStringLiteral("%1: exit code %2: %3").arg(name).arg(outcome.exitCode).arg(words.right(600)));
            return;
        }
        m_phases.emplace_back(name, outcome.seconds);
        next();
    });
    m_process->start(step(name));
}

void PeerLoop::cancel() {
    m_isCancelled = true;
    if (m_process != nullptr)
        m_process->cancel();
}

} // namespace warpwright
