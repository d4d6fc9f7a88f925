// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/inspect/disassembly.h"

#include "toolchain/base/text_file.h"
#include "toolchain/compile/object_cache.h"
#include "toolchain/tool_output/sass_listing.h"

#include <QDir>

#include <functional>

namespace warpwright {

QString whyNoDisassembly(const CudaToolkit &toolkit) {
    for (const auto &[path, name] : {std::pair(toolkit.cuobjdump, QStringLiteral("cuobjdump")),
                                     std::pair(toolkit.nvdisasm, QStringLiteral("nvdisasm"))})
        if (path.isEmpty())
            return QStringLiteral(
                       "Cannot show SASS: there is no %1 beside \"%2\", nor in the Python environment. "
                       "Run wright doctor: it names the package.")
                .arg(name, toolkit.nvcc);
    return {};
}

Disassembly::Disassembly(const CudaToolkit &toolkit, QStringList objects, Options options, QObject *parent)
    : QObject(parent),
      m_toolkit(toolkit),
      m_objects(std::move(objects)),
      m_options(std::move(options)),
      m_kernels(static_cast<std::size_t>(m_objects.size())) {}

Disassembly::~Disassembly() {
    for (ChildProcess *process : std::exchange(m_processes, {}))
        delete process;
}

void Disassembly::start() {
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (m_isDone)
                return;
            if (const QString whyNot = whyNoDisassembly(m_toolkit); !whyNot.isEmpty())
                return fail(whyNot);
            QDir().mkpath(m_options.scratchFolder);
            m_scratch =
                std::make_unique<QTemporaryDir>(m_options.scratchFolder + QStringLiteral("/sass-XXXXXX"));
            if (!m_scratch->isValid())
                return fail(QStringLiteral("Cannot make a folder below \"%1\": %2.")
                                .arg(m_options.scratchFolder, m_scratch->errorString()));
            startNext();
        },
        Qt::QueuedConnection);
}

void Disassembly::cancel() {
    fail(QStringLiteral("Cancelled by you."));
}

void Disassembly::startNext() {
    while (!m_isDone && m_running < std::max(1, m_options.maxJobs) && m_next < m_kernels.size())
        extract(m_next++);
    if (m_isDone || m_running > 0)
        return;
    m_isDone = true;
    emit finished(m_kernels);
}

QString Disassembly::folderOf(std::size_t index) const {
    return m_scratch->filePath(QString::number(index));
}

QString Disassembly::listingOf(std::size_t index) const {
    return ObjectCache::listingPath(m_objects[static_cast<int>(index)], m_toolkit.nvdisasm);
}

void Disassembly::extract(std::size_t index) {
    // nvdisasm takes a third of a second for the smallest cubin: what it said once is kept beside the object.
    if (const auto known = readTextFile(listingOf(index)); known.hasValue()) {
        m_kernels[index] = parseSass(known.value());
        return;
    }
    ++m_running;
    QDir().mkpath(folderOf(index));
    run(index, m_toolkit.cuobjdump,
        {QStringLiteral("-xelf"), QStringLiteral("all"), m_objects[static_cast<int>(index)]},
        [this, index](const ProcessOutcome &) {
            // An object without kernels has no cubin: that is an answer, too.
            for (const QString &name :
                 QDir(folderOf(index)).entryList({QStringLiteral("*.cubin")}, QDir::Files))
                m_cubins[index] << name;
            list(index);
        });
}

void Disassembly::list(std::size_t index) {
    if (m_cubins[index].isEmpty()) {
        --m_running;
        startNext();
        return;
    }
    const bool isOnly = m_kernels[index].empty() && m_cubins[index].size() == 1;
    const QString cubin = m_cubins[index].takeFirst();
    run(index, m_toolkit.nvdisasm, {QStringLiteral("-gi"), cubin},
        [this, index, isOnly](const ProcessOutcome &outcome) {
            if (isOnly && !outcome.standardOutput.isEmpty()) // else it is made again the next time
                (void)writeFileAtomically(listingOf(index), outcome.standardOutput).hasValue();
            for (KernelCode &kernel : parseSass(outcome.standardOutput))
                m_kernels[index].push_back(std::move(kernel));
            list(index);
        });
}

void Disassembly::run(std::size_t index, const QString &tool, const QStringList &arguments,
                      const std::function<void(const ProcessOutcome &)> &done) {
    ProcessRequest request;
    request.program = tool;
    request.arguments = arguments;
    request.workingFolder = folderOf(index);
    request.environment = m_options.environment;
    request.timeLimitMs = m_options.timeLimitMs;
    request.outputLimitBytes = m_options.outputLimitBytes;
    auto *process = new ChildProcess(this);
    m_processes.push_back(process);
    const auto forget = [this, process] {
        std::erase(m_processes, process);
        process->deleteLater();
    };
    const QString object = m_objects[static_cast<int>(index)];
    connect(process, &ChildProcess::failed, this, [this, forget](const QString &message) {
        forget();
        fail(message);
    });
    connect(process, &ChildProcess::finished, this,
            [this, forget, tool, object, done](const ProcessOutcome &outcome) {
                forget();
                if (m_isDone)
                    return;
                QString why;
                if (outcome.timedOut)
                    why = QStringLiteral("it did not end within %1 s").arg(m_options.timeLimitMs / 1000);
                else if (outcome.outputTruncated)
                    why = QStringLiteral("its listing is longer than %1 MiB")
                              .arg(m_options.outputLimitBytes / (1024 * 1024));
                else if (outcome.signal != 0)
                    why = QStringLiteral("signal %1 ended it").arg(outcome.signal);
                // cuobjdump complains of objects without device code, and is right.
                else if (!outcome.succeeded() &&
                         !outcome.standardError.contains("does not contain device code"))
                    why = QString::fromUtf8(outcome.standardError.trimmed().left(400));
                if (why.isEmpty())
                    done(outcome);
                else
                    fail(QStringLiteral(
                             "Cannot read the kernels of \"%1\" with \"%2\": %3. Use tools that are not "
                             "older than nvcc %4; wright doctor names those found.")
                             .arg(object, tool, why, m_toolkit.version));
            });
    process->start(request);
}

void Disassembly::fail(const QString &message) {
    if (std::exchange(m_isDone, true))
        return;
    for (ChildProcess *process : m_processes)
        process->cancel();
    QMetaObject::invokeMethod(
        this, [this, message] { emit failed(message); }, Qt::QueuedConnection);
}

} // namespace warpwright
