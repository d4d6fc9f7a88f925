// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/judge/referee_build.h"

#include "toolchain/base/text_file.h"
#include "toolchain/progress/stage_progress.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpwright {
namespace {

/// Enough of a compiler's words to see what is wrong; the log has the rest.
QString firstErrors(const QByteArray &text) {
    QStringList lines;
    for (const QString &line : QString::fromUtf8(text).split(QLatin1Char('\n'))) {
        if (line.contains(QLatin1String("error")) || line.contains(QLatin1String("undefined reference")) ||
            line.contains(QLatin1String("cannot find")))
            lines.append(line.trimmed());
        if (lines.size() == 5)
            break;
    }
    return lines.isEmpty() ? QString::fromUtf8(text.left(1000)).trimmed() : lines.join(QLatin1Char('\n'));
}

QString leftText(double seconds) {
    return roughTimeText(seconds) + QStringLiteral(" left");
}

int stepsOf(const RefereePlan &plan) {
    return static_cast<int>(plan.objects.size() + plan.programs.size());
}

QString buildFolderOf(const QString &folder) {
    return folder + QStringLiteral(".building");
}

} // namespace

QString refereeFolder(const QString &data, const RefereePlan &plan) {
    return data + QStringLiteral("/referee/") + plan.key;
}

bool isRefereeBuilt(const QString &data, const RefereePlan &plan) {
    for (const QString &output : plan.outputs) {
        if (!QFileInfo::exists(refereeFolder(data, plan) + QLatin1Char('/') + output))
            return false;
    }
    return !plan.outputs.isEmpty();
}

RefereeProgress refereeProgress(const QString &folder) {
    return refereeProgressIn(buildFolderOf(folder), QDateTime::currentDateTimeUtc());
}

RefereeBuild::RefereeBuild(RefereePlan plan, QString data, int maxJobs, QObject *parent)
    : QObject(parent),
      m_plan(std::move(plan)),
      m_data(std::move(data)),
      m_folder(refereeFolder(m_data, m_plan)),
      m_scratch(buildFolderOf(m_folder)),
      m_maxJobs(maxJobs) {
    m_lockPoll.setInterval(200);
    connect(&m_lockPoll, &QTimer::timeout, this, &RefereeBuild::takeLock);
}

// Its compilers end with it, and the process that the note names lives on.
RefereeBuild::~RefereeBuild() {
    if (!m_isDone && m_lock && m_lock->isLocked())
        forgetRefereeBegun(m_scratch);
}

void RefereeBuild::start() {
    if (isRefereeBuilt(m_data, m_plan)) {
        QTimer::singleShot(0, this, [this] { amputate(false); });
        return;
    }
    const Result<void> made = makeFolder(QFileInfo(m_folder).path());
    if (!made.hasValue()) {
        QTimer::singleShot(0, this, [this, made] { fail(made.message()); });
        return;
    }
    m_lock = std::make_unique<LifetimeLock>(m_folder + QStringLiteral(".lock"));
    QTimer::singleShot(0, this, &RefereeBuild::takeLock);
}

void RefereeBuild::takeLock() {
    if (isStopping())
        return;
    if (m_lock->tryTake()) {
        m_lockPoll.stop();
        if (isRefereeBuilt(m_data, m_plan))
            amputate(false); // another process has built it while we waited
        else
            build();
        return;
    }
    if (m_lock->error() != QLockFile::LockFailedError) {
        fail(QStringLiteral(
                 "Cannot lock \"%1.lock\": the folder cannot be written to. Make it writable, or set "
                 "WARPWRIGHT_DATA to a folder that is.")
                 .arg(m_folder));
        return;
    }
    tellOther();
    m_lockPoll.start();
}

void RefereeBuild::tellOther() {
    RefereeProgress now = refereeProgress(m_folder);
    now.count = stepsOf(m_plan); // who has just taken the lock has noted none yet
    double left = now.secondsLeft.value_or(refereeSecondsGuess(std::max(now.count - now.done, 0), m_maxJobs));
    left = std::round(left / 10) * 10; // to the second it would be told anew at every look
    now.secondsLeft = left;
    if (std::exchange(m_told, now) != now)
        emit progress(judgeBuildStep(leftText(left)), now.step(), now.count);
}

void RefereeBuild::build() {
    const Result<void> made = makeFolder(m_scratch);
    if (!made.hasValue()) {
        fail(made.message());
        return;
    }
    QFile::remove(m_folder + QStringLiteral(".log")); // of a build that failed before
    // Only who waits knows less without it.
    static_cast<void>(noteRefereeBegun(m_scratch, stepsOf(m_plan)));
    const int jobs = std::max(1, m_maxJobs);
    for (int job = 0; job < jobs; ++job)
        startNext();
}

void RefereeBuild::startNext() {
    if (isStopping())
        return;
    const QDir scratch(m_scratch);
    while (m_nextObject < m_plan.objects.size()) {
        const RefereeObject &object = m_plan.objects[m_nextObject++];
        if (scratch.exists(object.object)) {
            ++m_done; // by a build that was stopped
            continue;
        }
        const QString part = object.object + QStringLiteral(".part");
        const QStringList arguments{QStringLiteral("-c"), m_plan.sources + QLatin1Char('/') + object.source,
                                    QStringLiteral("-o"), part};
        run(QStringLiteral("compile %1").arg(object.source), arguments + object.arguments,
            [this, part, whole = object.object] {
                if (QDir(m_scratch).rename(part, whole))
                    startNext();
                else
                    fail(QStringLiteral("Cannot rename \"%1/%2\": the folder cannot be written to. Make it "
                                        "writable, or set WARPWRIGHT_DATA to a folder that is.")
                             .arg(m_scratch, part));
            });
        return;
    }
    if (m_running == 0)
        link();
}

void RefereeBuild::link() {
    if (isStopping())
        return;
    if (m_nextProgram == m_plan.programs.size()) {
        install();
        return;
    }
    const RefereeProgram &program = m_plan.programs[m_nextProgram++];
    run(QStringLiteral("link %1").arg(program.output), program.linkArguments, [this] { link(); });
}

void RefereeBuild::run(const QString &what, const QStringList &arguments, const std::function<void()> &next) {
    auto *process = new ChildProcess(this);
    m_processes.push_back(process);
    ++m_running;
    connect(process, &ChildProcess::finished, this, [this, what, next](const ProcessOutcome &outcome) {
        --m_running;
        if (isStopping()) {
            settle();
            return;
        }
        m_log += what.toUtf8() + '\n' + outcome.standardOutput + outcome.standardError;
        if (!outcome.succeeded()) {
            const QString log = m_folder + QStringLiteral(".log");
            static_cast<void>(writeFileAtomically(log, m_log));
            const QByteArray words = outcome.standardError + outcome.standardOutput;
            const QString full = adviceForFullDisk(m_scratch, QString::fromUtf8(words));
            fail(QStringLiteral("Cannot build the judge (%1) in \"%2\": %3\n%4")
                     .arg(what, m_folder,
                          outcome.signal != 0
                              ? QStringLiteral("the compiler was killed by signal %1").arg(outcome.signal)
                              : firstErrors(words),
                          !full.isEmpty()
                              ? full
                              : QStringLiteral("All that the compiler said is in \"%1\". Run wright doctor.")
                                    .arg(log)));
            return;
        }
        ++m_done;
        next();
    });
    connect(process, &ChildProcess::failed, this, [this](const QString &message) {
        --m_running;
        fail(message);
    });
    const RefereeProgress now{m_done, stepsOf(m_plan), true, refereeProgress(m_folder).secondsLeft};
    const double left = now.secondsLeft.value_or(refereeSecondsGuess(now.count - m_done, m_maxJobs));
    emit progress(judgeBuildStep(leftText(left)), now.step(), now.count);
    ProcessRequest request;
    request.program = m_plan.compiler;
    request.arguments = arguments;
    request.workingFolder = m_scratch;
    request.environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
    request.timeLimitMs = 30 * 60 * 1000;
    process->start(request);
}

void RefereeBuild::install() {
    const QDir scratch(m_scratch);
    for (const RefereeObject &object : m_plan.objects)
        QFile::remove(scratch.filePath(object.object));
    forgetRefereeBegun(m_scratch);
    removeStoppedBuilds();
    QDir(m_folder).removeRecursively(); // an incomplete one, or it would not have been built
    if (!QDir().rename(m_scratch, m_folder)) {
        fail(QStringLiteral(
                 "Cannot rename \"%1\" to \"%2\": the folder cannot be written to. Make it writable, or set "
                 "WARPWRIGHT_DATA to a folder that is.")
                 .arg(m_scratch, m_folder));
        return;
    }
    QFile::remove(m_folder + QStringLiteral(".log"));
    amputate(true);
}

// Objects of other sources than today's, that nobody builds any more.
void RefereeBuild::removeStoppedBuilds() const {
    const QFileInfo folder(m_folder);
    const QString ending = QStringLiteral(".building");
    for (const QFileInfo &other : folder.dir().entryInfoList({QLatin1Char('*') + ending}, QDir::Dirs)) {
        LifetimeLock lock(other.path() + QLatin1Char('/') + other.completeBaseName() +
                          QStringLiteral(".lock"));
        if (other.filePath() != m_scratch && lock.tryTake())
            QDir(other.filePath()).removeRecursively();
    }
}

// The programs are whole: whoever waits for them alone need not wait for this.
void RefereeBuild::amputate(bool wasBuiltNow) {
    if (isStopping())
        return;
    m_lock.reset();
    m_amputation = std::make_unique<AmputationBuild>(m_plan, m_data, m_folder);
    connect(m_amputation.get(), &AmputationBuild::progress, this,
            [this](const QString &step) { emit progress(step, 0, 0); });
    connect(m_amputation.get(), &AmputationBuild::finished, this,
            [this, wasBuiltNow](const Json &amputated) { end(wasBuiltNow, amputated); });
    m_amputation->start();
}

void RefereeBuild::end(bool wasBuiltNow, const Json &amputated) {
    if (isStopping())
        return;
    m_isDone = true;
    RefereePrograms programs{m_folder, {}, {}, wasBuiltNow, amputated};
    for (const QString &output : m_plan.outputs) {
        const QString path = m_folder + QLatin1Char('/') + output;
        if (output == QLatin1String("wright-referee"))
            programs.judge = path;
        else if (output.contains(QLatin1String("shim")))
            programs.shim = path;
    }
    emit finished(programs);
}

void RefereeBuild::fail(const QString &message) {
    if (isStopping()) {
        settle();
        return;
    }
    m_failure = message;
    m_lockPoll.stop();
    if (m_amputation)
        m_amputation->cancel();
    for (ChildProcess *process : m_processes)
        process->cancel();
    settle();
}

void RefereeBuild::cancel() {
    if (isStopping())
        return;
    m_isCancelled = true;
    fail(QStringLiteral("cancelled"));
}

// Compilers that still run write into the scratch folder, so it is let go when the last of them has gone. Who
// only waited leaves it alone: another builds there.
void RefereeBuild::settle() {
    if (m_isDone || m_running > 0)
        return;
    m_isDone = true;
    if (m_lock && m_lock->isLocked()) {
        if (m_isCancelled)
            forgetRefereeBegun(m_scratch);
        else
            QDir(m_scratch).removeRecursively();
    }
    m_lock.reset();
    emit failed(m_failure);
}

} // namespace warpwright
