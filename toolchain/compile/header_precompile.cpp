// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/compile/header_precompile.h"

#include "toolchain/base/text_file.h"
#include "toolchain/compile/build_sandbox.h"

#include <QDir>
#include <QTimer>

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace warpwright {
namespace {

constexpr qint64 storeLimitBytes = 3LL * 1024 * 1024 * 1024; ///< one takes 0.3 to 0.5 GB
constexpr int timeLimitMs = 15 * 60 * 1000;

} // namespace

HeaderPrecompile::HeaderPrecompile(HeaderRequest request, QString cacheFolder, QObject *parent)
    : QObject(parent),
      m_request(std::move(request)),
      m_store(std::move(cacheFolder)),
      m_scratch(QStringLiteral("%1/tmp-%2-%3").arg(m_store.folder(), m_request.key).arg(getpid())) {}

HeaderPrecompile::~HeaderPrecompile() {
    delete std::exchange(m_process, nullptr);
    if (!m_isDone)
        QDir(m_scratch).removeRecursively();
}

void HeaderPrecompile::start() {
    QTimer::singleShot(0, this, &HeaderPrecompile::make);
}

void HeaderPrecompile::make() {
    if (m_isDone)
        return;
    if (!m_store.find(m_request.key).isEmpty())
        return end(false);
    if (const auto made = makeFolder(m_scratch); !made.hasValue())
        return fail(made.message());
    m_lock = std::make_unique<LifetimeLock>(m_store.folder() + QLatin1Char('/') + m_request.key + ".lock");
    if (!m_lock->tryTake())
        return end(false);
    for (const auto &[name, text] :
         {std::pair("all.h", m_request.text()), std::pair("headers.h", QByteArray()),
          std::pair("try.cpp", m_request.text())})
        if (const auto written = writeFileAtomically(m_scratch + QLatin1Char('/') + name, text);
            !written.hasValue())
            return fail(written.message());
    run({QStringLiteral("-x"), QStringLiteral("c++-header"), m_scratch + QStringLiteral("/all.h"),
         QStringLiteral("-o"), m_scratch + QStringLiteral("/headers.h.gch"), QStringLiteral("-MD"),
         QStringLiteral("-MF"), m_scratch + QStringLiteral("/headers.d")},
        [this] { tryIt(); });
}

void HeaderPrecompile::tryIt() {
    // Taken means without a word; GCC would otherwise pass over it silently, and over each use of it.
    run({QStringLiteral("-Winvalid-pch"), QStringLiteral("-Werror=invalid-pch"), QStringLiteral("-include"),
         m_scratch + QStringLiteral("/headers.h"), m_scratch + QStringLiteral("/try.cpp"),
         QStringLiteral("-o"), m_scratch + QStringLiteral("/try.o")},
        [this] { install(); });
}

void HeaderPrecompile::install() {
    for (const char *name : {"/try.cpp", "/try.o", "/all.h"})
        QFile::remove(m_scratch + QLatin1String(name));
    if (const auto done = m_store.publish(m_scratch, m_request.key); !done.hasValue())
        return fail(done.message());
    end(true);
    m_store.prune(storeLimitBytes);
}

void HeaderPrecompile::run(const QStringList &arguments, const std::function<void()> &next) {
    ProcessRequest request;
    request.program = m_request.compiler;
    request.arguments = m_request.arguments + arguments;
    request.workingFolder = m_scratch;
    // As where it will be used (CompileRun).
    request.environment =
        buildEnvironment(QProcessEnvironment::systemEnvironment(), m_request.compiler, m_scratch);
    request.timeLimitMs = timeLimitMs;
    delete std::exchange(m_process, new ChildProcess(this));
    connect(m_process, &ChildProcess::finished, this, [this, next](const ProcessOutcome &outcome) {
        m_process->deleteLater();
        m_process = nullptr;
        if (m_isDone)
            return;
        if (outcome.cancelled)
            return fail(QStringLiteral("cancelled"));
        if (!outcome.succeeded()) {
            const QByteArray words = outcome.standardError.left(4000);
            // A full disk is no property of the compiler.
            if (adviceForFullDisk(m_store.folder(), QString::fromUtf8(words)).isEmpty())
                m_store.refuse(m_request.key, words);
            return fail(QStringLiteral("Cannot precompile %1 with \"%2\": %3")
                            .arg(m_request.headers.join(QStringLiteral(", ")), m_request.compiler,
                                 QString::fromUtf8(words).trimmed()));
        }
        next();
    });
    connect(m_process, &ChildProcess::failed, this, [this](const QString &message) { fail(message); });
    m_process->start(request);
}

void HeaderPrecompile::cancel() {
    if (m_process)
        m_process->cancel();
    else
        QTimer::singleShot(0, this, [this] { fail(QStringLiteral("cancelled")); });
}

void HeaderPrecompile::end(bool wasMadeNow) {
    if (m_isDone)
        return;
    m_isDone = true;
    QDir(m_scratch).removeRecursively();
    m_lock.reset();
    emit finished(m_store.find(m_request.key), wasMadeNow);
}

void HeaderPrecompile::fail(const QString &message) {
    if (m_isDone)
        return;
    m_isDone = true;
    QDir(m_scratch).removeRecursively();
    m_lock.reset();
    emit failed(message);
}

void stepBehindEverybody() {
    sched_param none{};
    sched_setscheduler(0, SCHED_IDLE, &none);
    setpriority(PRIO_PROCESS, 0, 19);
    constexpr int idleClass = 3 << 13; // IOPRIO_CLASS_IDLE; glibc has no name for it
    syscall(SYS_ioprio_set, 1, 0, idleClass);
}

} // namespace warpwright
