// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/timeline/trace_run.h"

#include "toolchain/base/figures.h"
#include "toolchain/base/text_file.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>

namespace warpwright {
namespace {

/// "it was ended by signal 11 (SIGSEGV): it reads or writes …"
QString endedBySignal(int number) {
    const char *name = sigabbrev_np(number);
    const QString hint = number == SIGSEGV || number == SIGBUS
                             ? QStringLiteral(": it reads or writes where it has no memory, wright check "
                                              "--tier certify runs a sanitizer over it")
                         : number == SIGABRT
                             ? QStringLiteral(": it gave up by itself, as an assertion or an uncaught "
                                              "exception does")
                         : number == SIGKILL ? QStringLiteral(": mostly the machine had no memory left")
                         : number == SIGILL  ? QStringLiteral(": this processor lacks an instruction of it")
                         : number == SIGFPE  ? QStringLiteral(": it divides an integer by zero")
                                             : QString();
    return QStringLiteral("it was ended by signal %1%2%3")
        .arg(number)
        .arg(name == nullptr ? QString() : QStringLiteral(" (SIG%1)").arg(QLatin1String(name)), hint);
}

QString whyNotTraced(const ProcessOutcome &outcome) {
    if (outcome.timedOut)
        return QStringLiteral("it did not finish in %1").arg(durationText(outcome.seconds));
    const QString words =
        QString::fromUtf8(outcome.standardError).trimmed().section(QLatin1Char('\n'), -1).trimmed().left(300);
    if (outcome.signal != 0)
        return endedBySignal(outcome.signal) +
               (words.isEmpty() ? QString() : QStringLiteral(". Its last words: %1").arg(words));
    return words.isEmpty()
               ? QStringLiteral("it ended with exit code %1 and said nothing").arg(outcome.exitCode)
               : words;
}

Result<Timeline> timelineIn(const QString &path) {
    const Result<QByteArray> text = readTextFile(path);
    if (!text.hasValue())
        return Result<Timeline>::error(text.message());
    const Result<Json> document = parseJson(text.value());
    return document.hasValue() ? timelineFromTrace(document.value())
                               : Result<Timeline>::error(document.message());
}

} // namespace

TraceRun::TraceRun(TracePlan plan, int patience, QObject *parent) : QObject(parent), m_plan(std::move(plan)) {
    m_waiting.setInterval(patience);
    connect(&m_waiting, &QTimer::timeout, this, &TraceRun::tellOfWaiting);
}

void TraceRun::start() {
    m_timeline.at = QDateTime::currentDateTimeUtc();
    QTimer::singleShot(0, this, [this] { run(!m_plan.wantsBaselines); });
}

void TraceRun::cancel() {
    m_isCancelled = true;
    if (m_process != nullptr)
        m_process->cancel();
}

void TraceRun::run(bool isCandidate) {
    if (m_isCancelled)
        return end();
    m_arm = isCandidate ? QStringLiteral("candidate") : QStringLiteral("eager and compile");
    emit progress(m_arm);
    if (m_isCancelled) // whoever is shown it may have stopped us
        return end();
    m_process = new ChildProcess(this);
    connect(m_process, &ChildProcess::finished, this,
            [this, isCandidate](const ProcessOutcome &outcome) { ended(outcome, isCandidate); });
    connect(m_process, &ChildProcess::failed, this, [this, isCandidate](const QString &message) {
        m_process->deleteLater();
        m_process = nullptr;
        take(isCandidate, message);
    });
    m_since.start();
    m_waiting.start();
    m_process->start(traceRequest(m_plan, isCandidate, limitMs));
}

void TraceRun::tellOfWaiting() {
    const double seconds = std::round(static_cast<double>(m_since.elapsed()) / 1000);
    emit progress(
        QStringLiteral("%1 (no end after %2 s, stopped in %3 s)")
            .arg(m_arm, numberText(seconds), numberText(std::max(0.0, limitMs / 1000.0 - seconds))));
}

void TraceRun::ended(const ProcessOutcome &outcome, bool isCandidate) {
    m_process->deleteLater();
    m_process = nullptr;
    take(isCandidate, outcome.succeeded() ? QString() : whyNotTraced(outcome));
}

void TraceRun::take(bool isCandidate, const QString &whyNot) {
    m_waiting.stop();
    if (m_isCancelled)
        return end();
    const Result<Timeline> read =
        whyNot.isEmpty() ? timelineIn(tracePathOf(m_plan, isCandidate)) : Result<Timeline>::error(whyNot);
    if (read.hasValue()) {
        const Timeline &traced = read.value();
        std::vector<TimelineArm> arms = std::move(m_timeline.arms);
        const QStringList problems = m_timeline.problems;
        const QDateTime at = m_timeline.at;
        m_timeline = traced;
        m_timeline.at = at;
        // The candidate first, as everywhere.
        m_timeline.arms.insert(m_timeline.arms.end(), arms.begin(), arms.end());
        m_timeline.problems = problems;
        for (const QString &problem : traced.problems)
            if (!m_timeline.problems.contains(problem))
                m_timeline.problems << problem;
    } else {
        TimelineArm arm;
        arm.name = isCandidate ? QStringLiteral("candidate") : QStringLiteral("eager");
        arm.problem = read.message();
        m_timeline.arms.insert(m_timeline.arms.begin(), arm);
    }
    isCandidate ? end() : run(true);
}

void TraceRun::end() {
    if (std::exchange(m_isDone, true))
        return;
    const auto hasPicture = [](const TimelineArm &arm) {
        return arm.problem.isEmpty();
    };
    if (m_isCancelled)
        emit failed(QStringLiteral("Cancelled by you: no timeline."));
    else if (std::none_of(m_timeline.arms.begin(), m_timeline.arms.end(), hasPicture))
        emit failed(QStringLiteral("Cannot trace a call: %1. Check the workspace first: wright check.")
                        .arg(!m_timeline.arms.empty()         ? m_timeline.arms.front().problem
                             : !m_timeline.problems.isEmpty() ? m_timeline.problems.front()
                                                              : QStringLiteral("nothing came")));
    else
        emit finished(m_timeline);
}

} // namespace warpwright
