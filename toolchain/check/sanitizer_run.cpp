// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/check/sanitizer_run.h"

#include "toolchain/base/text_file.h"

#include <algorithm>

namespace warpwright {

SanitizerRun::SanitizerRun(SanitizerPlan plan, QObject *parent) : QObject(parent), m_plan(std::move(plan)) {}

void SanitizerRun::setLimits(int toolMs, int wholeMs) {
    m_toolLimitMs = toolMs;
    m_wholeLimitMs = wholeMs;
}

void SanitizerRun::start() {
    m_left = sanitizerNames();
    m_clock.start();
    QTimer::singleShot(0, this, &SanitizerRun::next);
}

void SanitizerRun::cancel() {
    m_isCancelled = true;
    if (m_process != nullptr)
        m_process->cancel();
}

void SanitizerRun::next() {
    if (m_left.isEmpty()) {
        if (const auto stood = readTextFile(m_plan.scratch + QStringLiteral("/sandbox")); stood.hasValue())
            m_section.sandbox = QString::fromUtf8(stood.value());
        m_section.sumUp();
        emit finished(m_section);
        return;
    }
    const QString tool = m_left.takeFirst();
    const int count = static_cast<int>(sanitizerNames().size());
    SanitizerOutcome outcome;
    outcome.tool = tool;
    const qint64 left = m_wholeLimitMs - m_clock.elapsed();
    // A rest that is too short to load anything is none.
    if (m_isCancelled || left < std::min(1000, m_toolLimitMs / 4)) {
        outcome.reason = m_isCancelled ? QStringLiteral("cancelled by you")
                                       : QStringLiteral("the tools before it took all the time there was");
        take(outcome);
        return;
    }
    emit progress(tool, count - static_cast<int>(m_left.size()), count);
    m_process = new ChildProcess(this);
    connect(m_process, &ChildProcess::finished, this,
            [this, tool](const ProcessOutcome &ended) { take(sanitizerOutcome(m_plan, tool, ended)); });
    connect(m_process, &ChildProcess::failed, this, [this, outcome](const QString &message) {
        SanitizerOutcome failed = outcome;
        failed.reason = message;
        take(failed);
    });
    m_process->start(sanitizerRequest(m_plan, tool, static_cast<int>(std::min<qint64>(m_toolLimitMs, left))));
}

void SanitizerRun::take(const SanitizerOutcome &outcome) {
    m_section.tools.push_back(outcome);
    if (m_process != nullptr)
        m_process->deleteLater(); // it is just telling us its end
    m_process = nullptr;
    QTimer::singleShot(0, this, &SanitizerRun::next);
}

} // namespace warpwright
