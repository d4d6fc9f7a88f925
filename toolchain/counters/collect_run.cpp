// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/counters/collect_run.h"

#include <QFile>
#include <QFileInfo>
#include <QTimer>

namespace warpwright {

CollectRun::CollectRun(CollectPlan plan, ReportReading reading, QObject *parent)
    : QObject(parent), m_plan(std::move(plan)), m_reading(std::move(reading)) {
    m_reading.ncu = m_plan.ncu;
}

void CollectRun::start() {
    m_left = armsOf(m_plan);
    m_counters.at = QDateTime::currentDateTimeUtc();
    m_counters.set =
        m_plan.asked.sections.isEmpty() ? m_plan.asked.set : m_plan.asked.sections.join(QStringLiteral(", "));
    QTimer::singleShot(0, this, &CollectRun::next);
}

void CollectRun::cancel() {
    m_isCancelled = true;
    if (m_process != nullptr)
        m_process->cancel();
    if (m_reader != nullptr)
        m_reader->cancel();
}

void CollectRun::next() {
    if (m_isCancelled || m_left.isEmpty())
        return end();
    m_arm = m_left.takeFirst();
    m_line.clear();
    emit progress(QStringLiteral("%1: start the profiler").arg(m_arm), 0);
    if (m_isCancelled) // whoever is shown it may have stopped us
        return end();
    QFile::remove(reportPathOf(m_plan, m_arm)); // what lies there is of another run
    m_process = new ChildProcess(this);
    connect(m_process, &ChildProcess::outputArrived, this, &CollectRun::take);
    connect(m_process, &ChildProcess::finished, this, &CollectRun::armEnded);
    connect(m_process, &ChildProcess::failed, this, [this](const QString &message) {
        m_process->deleteLater();
        m_process = nullptr;
        armFailed(message);
    });
    m_process->start(collectRequest(m_plan, m_arm, armLimitMs));
}

void CollectRun::take(const QByteArray &bytes) {
    m_line += bytes;
    qsizetype end = m_line.indexOf('\n');
    for (; end >= 0; end = m_line.indexOf('\n'))
        m_line.remove(0, end + 1);
    // Dots come one by one, so the line of the launch at work is not whole yet.
    if (const auto step = collectStepIn(m_line))
        emit progress(QStringLiteral("%1: %2").arg(m_arm, step->kernel), step->launch + 1);
}

void CollectRun::armEnded(const ProcessOutcome &outcome) {
    m_process->deleteLater();
    m_process = nullptr;
    m_counters.collectSeconds += outcome.seconds;
    if (m_isCancelled)
        return end();
    // The tool's exit code is the program's: what counts is the report.
    if (!outcome.succeeded() || !QFileInfo::exists(reportPathOf(m_plan, m_arm))) {
        const CollectRefusal refusal = whyNotCollected(m_plan, outcome);
        return armFailed(
            QStringLiteral("Cannot collect counters of the %1: %2.%3")
                .arg(m_arm == QLatin1String("candidate") ? m_arm : m_arm + QStringLiteral(" baseline"),
                     refusal.why, refusal.advice.isEmpty() ? QString() : QLatin1Char(' ') + refusal.advice));
    }
    read();
}

void CollectRun::read() {
    emit progress(QStringLiteral("%1: read the report").arg(m_arm), 0);
    ReportReading reading = m_reading;
    reading.report = reportPathOf(m_plan, m_arm);
    m_reader = new ReportReader(reading, this);
    const auto ended = [this] {
        m_reader->deleteLater();
        m_reader = nullptr;
    };
    connect(m_reader, &ReportReader::finished, this, [this, ended](const SharedCounters &counters) {
        ended();
        merge(*counters);
        next();
    });
    connect(m_reader, &ReportReader::failed, this, [this, ended](const QString &message) {
        ended();
        armFailed(message);
    });
    m_reader->start();
}

void CollectRun::merge(const Counters &read) {
    for (KernelCounters kernel : read.kernels) {
        kernel.arm = m_arm;
        m_counters.kernels.push_back(std::move(kernel));
    }
    const int most = m_plan.asked.mostLaunches;
    const bool endsEarly = most > 0 && read.kernels.size() >= static_cast<std::size_t>(most);
    if (m_arm == QLatin1String("candidate"))
        m_counters.isWholeCall = !endsEarly && m_plan.asked.kernel.isEmpty() && read.launchesLeftOut == 0;
    if (endsEarly)
        m_counters.problems << QStringLiteral(
                                   "Of the %1 the first %2 launches were counted, and what follows was "
                                   "not: wright counters --launches N counts more.")
                                   .arg(m_arm)
                                   .arg(most);
    for (const auto &[file, text] : read.sources)
        m_counters.sources.emplace(file, text);
    m_counters.tool = read.tool;
    m_counters.readBy = read.readBy;
    m_counters.device = read.device;
    m_counters.computeCapability = read.computeCapability;
    m_counters.multiprocessors = read.multiprocessors;
    m_counters.hasSelectedMetrics |= read.hasSelectedMetrics;
    m_counters.launchesLeftOut += read.launchesLeftOut;
    m_counters.leftOut.insert(m_counters.leftOut.end(), read.leftOut.begin(), read.leftOut.end());
    for (const QString &problem : read.problems)
        if (!m_counters.problems.contains(problem))
            m_counters.problems << problem;
}

void CollectRun::armFailed(const QString &sentence) {
    if (m_firstFailure.isEmpty())
        m_firstFailure = sentence;
    m_counters.problems << sentence;
    next();
}

void CollectRun::end() {
    if (std::exchange(m_isDone, true))
        return;
    if (m_isCancelled)
        emit failed(QStringLiteral("Cancelled by you: no counters."));
    else if (m_counters.kernels.empty())
        emit failed(m_firstFailure);
    else
        emit finished(makeShared(std::move(m_counters)));
}

} // namespace warpwright
