// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/judge/amputation_build.h"

#include "toolchain/base/text_file.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int limitMs = 20 * 60 * 1000;
constexpr int mostKept = 2; // for who goes to and fro between two environments

QString folderOf(const RefereePlan &plan, const QString &data) {
    return data + QStringLiteral("/amputated/") + plan.amputationKey;
}

Json notRun(const QString &reason) {
    return Json{{"status", "not-run"}, {"reason", toJson(reason)}};
}

QString factsIn(const QString &folder) {
    return folder + QStringLiteral("/amputated.json");
}

// The time of the facts is that of their last use.
void noteUse(const QString &folder) {
    QFile facts(factsIn(folder));
    if (facts.open(QIODevice::ReadWrite)) // else it is only older than it is
        facts.setFileTime(QDateTime::currentDateTime(), QFileDevice::FileModificationTime);
}

// Half a gigabyte each: those that were used last stay, and none of builds that were killed. What is open
// somewhere lasts until it is closed.
void removeOlder(const QString &folder, const QString &current) {
    QFileInfoList all = QDir(folder).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot);
    const auto timeOf = [](const QFileInfo &each) {
        return QFileInfo(factsIn(each.filePath())).lastModified();
    };
    std::sort(all.begin(), all.end(),
              [&](const QFileInfo &one, const QFileInfo &other) { return timeOf(one) > timeOf(other); });
    int kept = 1;
    for (const QFileInfo &each : all) {
        const QString key = each.fileName().section(QLatin1Char('.'), 0, 0);
        const bool isWhole = key == each.fileName();
        if ((isWhole && key == current) || (isWhole && kept++ < mostKept))
            continue;
        LifetimeLock lock(folder + QLatin1Char('/') + key + QStringLiteral(".lock"));
        if (key == current || lock.tryTake()) // the current one's is ours
            QDir(each.filePath()).removeRecursively();
    }
}

} // namespace

Json AmputationBuild::found(const RefereePlan &plan, const QString &data) {
    if (plan.amputationKey.isEmpty())
        return notRun(QStringLiteral("torch has no libtorch_cpu.so."));
    const Result<QByteArray> text = readTextFile(factsIn(folderOf(plan, data)));
    const Result<Json> json = text.hasValue() ? parseJson(text.value()) : Result<Json>::error(text.message());
    if (!json.hasValue() || !json.value().is_object())
        return {};
    Json amputated = json.value();
    amputated["folder"] = toJson(folderOf(plan, data));
    return amputated;
}

AmputationBuild::AmputationBuild(const RefereePlan &plan, const QString &data, QString programs,
                                 QObject *parent)
    : QObject(parent),
      m_plan(plan),
      m_data(data),
      m_programs(std::move(programs)),
      m_folder(folderOf(plan, data)),
      m_scratch(m_folder + QStringLiteral(".building-%1").arg(QCoreApplication::applicationPid())) {
    m_lockPoll.setInterval(200);
    connect(&m_lockPoll, &QTimer::timeout, this, &AmputationBuild::takeLock);
}

AmputationBuild::~AmputationBuild() {
    cancel();
}

void AmputationBuild::start() {
    if (const Json there = found(m_plan, m_data); !there.is_null()) {
        noteUse(m_folder);
        QTimer::singleShot(0, this, [this, there] { end(there); });
        return;
    }
    if (const Result<void> made = makeFolder(QFileInfo(m_folder).path()); !made.hasValue()) {
        QTimer::singleShot(0, this, [this, made] { endNotRun(made.message()); });
        return;
    }
    m_lock = std::make_unique<LifetimeLock>(m_folder + QStringLiteral(".lock"));
    QTimer::singleShot(0, this, &AmputationBuild::takeLock);
}

void AmputationBuild::takeLock() {
    if (m_isDone)
        return;
    if (m_lock->tryTake()) {
        m_lockPoll.stop();
        if (const Json there = found(m_plan, m_data); !there.is_null())
            end(there); // another process made it while we waited
        else
            make();
    } else if (m_lock->error() != QLockFile::LockFailedError) {
        endNotRun(QStringLiteral("Cannot lock \"%1.lock\": the folder cannot be written to.").arg(m_folder));
    } else {
        if (!std::exchange(m_isWaiting, true))
            emit progress(QStringLiteral("wait for another process that takes torch's library apart"));
        m_lockPoll.start();
    }
}

void AmputationBuild::make() {
    emit progress(QStringLiteral("take the arithmetic out of a copy of torch's library, once"));
    removeOlder(QFileInfo(m_folder).path(), m_plan.amputationKey);
    m_process = new ChildProcess(this);
    connect(m_process, &ChildProcess::failed, this, &AmputationBuild::endNotRun);
    connect(m_process, &ChildProcess::finished, this, [this](const ProcessOutcome &outcome) {
        const QByteArray line = outcome.standardOutput.trimmed().split('\n').last();
        const Result<Json> said = parseJson(line);
        if (!outcome.succeeded() || !said.hasValue() || !said.value().is_object()) {
            const QString words = QString::fromUtf8(outcome.standardError.right(1000)).trimmed();
            endNotRun(QStringLiteral("warpwright-amputate ended by itself (%1). %2")
                          .arg(outcome.signal != 0 ? QStringLiteral("signal %1").arg(outcome.signal)
                                                   : QStringLiteral("exit code %1").arg(outcome.exitCode),
                               words));
            return;
        }
        QDir(m_folder).removeRecursively();
        const bool isKept = QFileInfo::exists(factsIn(m_scratch)) && QDir().rename(m_scratch, m_folder);
        const Json there = isKept ? found(m_plan, m_data) : Json();
        end(there.is_null() ? said.value() : there);
    });
    ProcessRequest request;
    request.program = m_programs + QStringLiteral("/warpwright-amputate");
    request.arguments = m_plan.amputationArguments;
    request.arguments << QStringLiteral("--recorder")
                      << m_programs + QStringLiteral("/libwarpwright_recorder.so") << QStringLiteral("--out")
                      << m_scratch;
    request.timeLimitMs = limitMs;
    m_process->start(request);
}

void AmputationBuild::endNotRun(const QString &reason) {
    end(notRun(reason));
}

void AmputationBuild::end(const Json &amputated) {
    if (std::exchange(m_isDone, true))
        return;
    m_lockPoll.stop();
    QDir(m_scratch).removeRecursively();
    m_lock.reset();
    emit finished(amputated);
}

void AmputationBuild::cancel() {
    if (std::exchange(m_isDone, true))
        return;
    m_lockPoll.stop();
    if (m_process != nullptr)
        m_process->cancel();
    QDir(m_scratch).removeRecursively();
    m_lock.reset();
}

} // namespace warpwright
