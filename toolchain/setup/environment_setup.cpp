// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/setup/environment_setup.h"

#include "toolchain/base/text_file.h"
#include "toolchain/compile/header_store.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QStorageInfo>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace warpwright {
namespace {

constexpr qsizetype keptOutput = 64 * 1024;

} // namespace

EnvironmentSetup::EnvironmentSetup(Request request, QObject *parent)
    : QObject(parent), m_request(std::move(request)), m_folder(m_request.folders.pythonEnvironment) {
    if (m_request.requirements.isEmpty())
        m_request.requirements = m_request.folders.resources + QStringLiteral("/requirements.txt");
    QProcessEnvironment &environment = m_request.environment;
    // What a person has set for their own Python must not bend this one.
    for (const char *name :
         {"PYTHONHOME", "PYTHONPATH", "PIP_USER", "PIP_TARGET", "PIP_PREFIX", "VIRTUAL_ENV"})
        environment.remove(QLatin1String(name));
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
    environment.insert(QStringLiteral("PYTHONUNBUFFERED"), QStringLiteral("1"));
    m_tick.setInterval(1000);
    connect(&m_tick, &QTimer::timeout, this, &EnvironmentSetup::show);
}

EnvironmentSetup::~EnvironmentSetup() {
    if (m_lock >= 0)
        ::close(m_lock);
}

QString EnvironmentSetup::stampFile() const {
    return m_folder + QStringLiteral("/.stamp-") + QFileInfo(m_request.requirements).completeBaseName();
}

bool EnvironmentSetup::markAsOurs() const {
    return writeFileAtomically(m_folder + QStringLiteral("/.warpwright"), {}).hasValue();
}

void EnvironmentSetup::start() {
    m_clock.start();
    m_tick.start();
    // Not from within start(): whoever calls it may still be connecting.
    QTimer::singleShot(0, this, [this] {
        emit started();
        const QString why = m_isCancelled ? QStringLiteral("The set-up was stopped.") : whyNot();
        if (why.isEmpty())
            run(Step::Version);
        else
            fail(why);
    });
}

// What speaks against beginning; empty: nothing.
QString EnvironmentSetup::whyNot() {
    const Result<QByteArray> text = readTextFile(m_request.requirements);
    if (!text.hasValue())
        return text.message() + QStringLiteral(" Install Warpwright again, or set WARPWRIGHT_RESOURCES.");
    m_wheels = requirementsOf(text.value());
    const QDir folder(m_folder);
    if (folder.exists() && !folder.exists(QStringLiteral("pyvenv.cfg")) &&
        !folder.exists(QStringLiteral(".warpwright")) &&
        !folder.isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot))
        return QStringLiteral(
                   "Cannot make the Python environment \"%1\": the folder exists and is no Python "
                   "environment, so it is left alone. Move it away, or set WARPWRIGHT_ENV to another one.")
            .arg(m_folder);
    if (const Result<void> made = makeFolder(QFileInfo(m_folder).path()); !made.hasValue())
        return made.message();
    m_lock = ::open(QFile::encodeName(m_folder + QStringLiteral(".lock")).constData(),
                    O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (m_lock < 0 || ::flock(m_lock, LOCK_EX | LOCK_NB) != 0) {
        const int number = errno;
        if (number == EWOULDBLOCK)
            return QStringLiteral(
                       "Another set-up is at work on the Python environment \"%1\". Wait for it, or stop it "
                       "there.")
                .arg(m_folder);
        return QStringLiteral("Cannot make the Python environment \"%1\": %2.")
            .arg(m_folder, qt_error_string(number));
    }
    const qint64 free = QStorageInfo(nearestFolder(m_folder)).bytesAvailable();
    if (!QFileInfo(python()).isExecutable() && free >= 0 && free < m_request.neededBytes)
        return QStringLiteral(
                   "Cannot make the Python environment \"%1\": it needs %2 GB, and the disk has %3 GB free. "
                   "Free some space, or set WARPWRIGHT_ENV to a folder on another disk.")
            .arg(m_folder)
            .arg(static_cast<double>(m_request.neededBytes) / 1e9, 0, 'f', 1)
            .arg(static_cast<double>(free) / 1e9, 0, 'f', 1);
    m_log.setFileName(log());
    // A log that cannot be written is no reason to stop.
    if (!m_log.open(QIODevice::WriteOnly | QIODevice::Truncate))
        m_log.setFileName({});
    return {};
}

ProcessRequest EnvironmentSetup::requestFor(Step step) const {
    ProcessRequest request;
    request.environment = m_request.environment;
    request.workingFolder = QFileInfo(m_folder).path();
    request.program = python();
    switch (step) {
    case Step::Version:
        request.program = m_request.basePython;
        request.arguments = {QStringLiteral("-I"), QStringLiteral("-c"),
                             QStringLiteral("import sys; print(sys.version)")};
        break;
    case Step::AskPip:
        request.arguments = {QStringLiteral("-I"), QStringLiteral("-m"), QStringLiteral("pip"),
                             QStringLiteral("--version")};
        break;
    case Step::Make:
        request.program = m_request.basePython;
        request.arguments = {QStringLiteral("-m"), QStringLiteral("venv"), QStringLiteral("--clear"),
                             m_folder};
        break;
    case Step::Install:
    case Step::Reinstall:
        request.arguments = {QStringLiteral("-m"),         QStringLiteral("pip"),
                             QStringLiteral("install"),    QStringLiteral("--disable-pip-version-check"),
                             QStringLiteral("--no-input"), QStringLiteral("--progress-bar"),
                             QStringLiteral("off"),        QStringLiteral("--retries"),
                             QStringLiteral("3")};
        if (step == Step::Reinstall)
            request.arguments << QStringLiteral("--force-reinstall");
        request.arguments << QStringLiteral("-r") << m_request.requirements;
        break;
    case Step::Try:
    case Step::TryAgain:
        request.arguments = {QStringLiteral("-I"), QStringLiteral("-c"), m_request.tryCode};
        break;
    }
    return request;
}

void EnvironmentSetup::run(Step step) {
    const auto stage = [this](int number, const char *name) {
        m_progress.step = number;
        m_progress.stage = QString::fromLatin1(name);
    };
    switch (step) {
    case Step::Version:
    case Step::AskPip:
        stage(1, "look at what is there");
        break;
    case Step::Make:
        stage(2, "make a virtual environment");
        break;
    case Step::Install:
        stage(3, "install the wheels");
        break;
    case Step::Reinstall:
        stage(3, "unpack the wheels again");
        break;
    case Step::Try:
    case Step::TryAgain:
        stage(4, "try whether torch loads");
        break;
    }
    m_progress.line.clear();
    m_output.clear();
    show();
    const ProcessRequest request = requestFor(step);
    take("+ " + (request.program + QLatin1Char(' ') + request.arguments.join(QLatin1Char(' '))).toUtf8() +
         '\n');
    m_output.clear();
    m_process = new ChildProcess(this);
    connect(m_process, &ChildProcess::outputArrived, this, &EnvironmentSetup::take);
    connect(m_process, &ChildProcess::errorArrived, this, &EnvironmentSetup::take);
    connect(m_process, &ChildProcess::finished, this, [this, step](const ProcessOutcome &outcome) {
        std::exchange(m_process, nullptr)->deleteLater();
        stepDone(step, outcome);
    });
    connect(m_process, &ChildProcess::failed, this, [this, step](const QString &message) {
        std::exchange(m_process, nullptr)->deleteLater();
        if (step == Step::AskPip)
            run(Step::Make); // an environment of a Python that is gone
        else if (step == Step::Version)
            fail(message + QStringLiteral(" Run: ") + QLatin1String(installPythonCommand));
        else
            fail(message);
    });
    m_process->start(request);
}

void EnvironmentSetup::take(const QByteArray &bytes) {
    if (m_log.isOpen())
        m_log.write(bytes), m_log.flush();
    m_output = (m_output + bytes).right(keptOutput);
    const QString text = QString::fromUtf8(bytes.right(4096)).replace(QLatin1Char('\r'), QLatin1Char('\n'));
    for (const QString &line : text.split(QLatin1Char('\n')))
        if (!line.trimmed().isEmpty())
            m_progress.line = line.trimmed().left(300);
    if (!m_output.isEmpty() && m_clock.isValid())
        show();
}

void EnvironmentSetup::show() {
    m_progress.seconds = static_cast<double>(m_clock.elapsed()) / 1000;
    if (!m_isDone && !m_progress.stage.isEmpty())
        emit progress(m_progress);
}

void EnvironmentSetup::stepDone(Step step, const ProcessOutcome &outcome) {
    if (m_isCancelled || outcome.cancelled) {
        fail(QStringLiteral("The set-up was stopped."));
        return;
    }
    const auto failedAs = [&](EnvironmentStep what) {
        const QString where =
            m_log.isOpen() ? QStringLiteral(" All that was printed is in \"%1\".").arg(log()) : "";
        fail(environmentFailure(what, m_folder, m_output, outcome.signal) + where);
    };
    const bool isDone = outcome.succeeded();
    switch (step) {
    case Step::Version:
        isDone ? versionKnown(QString::fromUtf8(outcome.standardOutput)) : failedAs(EnvironmentStep::Look);
        break;
    case Step::AskPip:
        run(isDone ? Step::Install : Step::Make);
        break;
    case Step::Make:
        isDone &&markAsOurs() ? run(Step::Install) : failedAs(EnvironmentStep::Make);
        break;
    case Step::Install:
        isDone ? run(Step::Try) : failedAs(EnvironmentStep::Install);
        break;
    case Step::Try:
        // Wheels that were cut off in the middle of unpacking look installed to pip.
        isDone ? succeed() : run(Step::Reinstall);
        break;
    case Step::Reinstall:
        isDone ? run(Step::TryAgain) : failedAs(EnvironmentStep::Install);
        break;
    case Step::TryAgain:
        isDone ? succeed() : failedAs(EnvironmentStep::Try);
        break;
    }
}

void EnvironmentSetup::versionKnown(const QString &version) {
    m_stamp =
        QCryptographicHash::hash(m_wheels + version.toUtf8(), QCryptographicHash::Sha256).toHex().left(32);
    const Result<QByteArray> stamp = readTextFile(stampFile());
    if (stamp.hasValue() && stamp.value().trimmed() == m_stamp && QFileInfo(python()).isExecutable()) {
        end();
        emit finished(python());
        return;
    }
    if (const Result<void> made = makeFolder(m_folder); !made.hasValue())
        fail(made.message());
    else if (!markAsOurs())
        fail(
            environmentFailure(EnvironmentStep::Make, m_folder, "Permission denied, or the disk is full", 0));
    else
        run(QFileInfo(python()).isExecutable() ? Step::AskPip : Step::Make);
}

void EnvironmentSetup::succeed() {
    if (const Result<void> written = writeFileAtomically(stampFile(), m_stamp + '\n'); !written.hasValue()) {
        fail(written.message());
        return;
    }
    end();
    startPreparing(m_request.preparer);
    emit finished(python());
}

void EnvironmentSetup::fail(const QString &message) {
    if (m_isDone)
        return;
    end();
    emit failed(message == QLatin1String("The set-up was stopped.")
                    ? message + QStringLiteral(" Start it again, and it goes on where it was.")
                    : message);
}

void EnvironmentSetup::end() {
    m_isDone = true;
    m_tick.stop();
    m_log.close();
    if (m_lock >= 0)
        ::close(std::exchange(m_lock, -1));
}

void EnvironmentSetup::cancel() {
    if (m_isDone)
        return;
    m_isCancelled = true;
    if (m_process)
        m_process->cancel();
}

} // namespace warpwright
