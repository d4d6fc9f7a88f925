// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/setup/sandbox_trial.h"

#include "toolchain/base/text_file.h"

#include <algorithm>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace warpwright {
namespace {

struct Sandbox {
    const char *name;
    const char *kind;
    const char *profile;
    bool boundsProcesses; ///< a candidate may not start any; a compiler may start some
};

constexpr Sandbox sandboxes[] = {{"wall: candidate, namespaces", "namespaces", "run", true},
                                 {"wall: candidate, Landlock", "landlock", "run", true},
                                 {"wall: compilers", "namespaces", "build", false}};

int listenOnLoopback(int &port) {
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (listener >= 0 && bind(listener, reinterpret_cast<sockaddr *>(&address), size) == 0 &&
        listen(listener, 8) == 0 && getsockname(listener, reinterpret_cast<sockaddr *>(&address), &size) == 0)
        port = ntohs(address.sin_port);
    return listener;
}

} // namespace

bool SandboxTrial::held() const {
    return problem.isEmpty() && !attempts.empty() &&
           std::all_of(attempts.begin(), attempts.end(),
                       [](const EscapeAttempt &attempt) { return attempt.wasStopped; });
}

std::vector<EscapeAttempt> readSandboxAttempts(const QByteArray &text) {
    std::vector<EscapeAttempt> attempts;
    for (const QByteArray &line : text.split('\n')) {
        const QList<QByteArray> parts = line.split('\t');
        if (parts.size() == 3)
            attempts.push_back(
                {QString::fromUtf8(parts[0]), parts[1] == "stopped", QString::fromUtf8(parts[2])});
    }
    return attempts;
}

SandboxTrials::SandboxTrials(QString program, QObject *parent)
    : QObject(parent), m_program(std::move(program)) {}

SandboxTrials::~SandboxTrials() {
    if (m_listener >= 0)
        close(m_listener);
}

void SandboxTrials::start() {
    m_listener = listenOnLoopback(m_port);
    (void)writeFileAtomically(m_outside.filePath(QStringLiteral("secret")), "secret\n");
    QMetaObject::invokeMethod(this, &SandboxTrials::startNext, Qt::QueuedConnection);
}

void SandboxTrials::cancel() {
    m_isCancelled = true;
    if (m_process != nullptr)
        m_process->cancel();
}

void SandboxTrials::startNext() {
    if (m_program.isEmpty() || m_isCancelled || m_next == std::size(sandboxes)) {
        emit finished(m_trials);
        return;
    }
    const Sandbox &sandbox = sandboxes[m_next++];
    ProcessRequest request;
    request.program = m_program;
    request.timeLimitMs = 20000;
    const auto say = [&request](std::initializer_list<QString> words) {
        request.arguments.append(words);
    };
    const auto number = [](qint64 value) {
        return QString::number(value);
    };
    say({QStringLiteral("--kind"), QString::fromLatin1(sandbox.kind), QStringLiteral("--profile"),
         QString::fromLatin1(sandbox.profile), QStringLiteral("--read"), QStringLiteral("/usr"),
         QStringLiteral("--address-bytes"), number(1LL << 30), QStringLiteral("--"), QStringLiteral("--try"),
         QStringLiteral("secret"), m_outside.filePath(QStringLiteral("secret")), QStringLiteral("folder"),
         m_outside.path(), QStringLiteral("process"), number(getpid()), QStringLiteral("mebibytes"),
         number(2048)});
    if (m_port != 0)
        say({QStringLiteral("port"), number(m_port)});
    if (sandbox.boundsProcesses)
        say({QStringLiteral("processes"), number(32)});
    SandboxTrial trial{QString::fromLatin1(sandbox.name), {}, {}};
    m_process = new ChildProcess(this);
    const auto end = [this](SandboxTrial done) {
        m_process->deleteLater();
        m_process = nullptr;
        m_trials.push_back(std::move(done));
        startNext();
    };
    connect(m_process, &ChildProcess::finished, this, [end, trial](const ProcessOutcome &outcome) mutable {
        trial.attempts = readSandboxAttempts(outcome.standardOutput);
        if (trial.attempts.empty())
            trial.problem = QString::fromUtf8(outcome.standardError.trimmed()).section(QLatin1Char('\n'), -1);
        if (trial.attempts.empty() && trial.problem.isEmpty())
            trial.problem = QStringLiteral("it ended without a word");
        end(std::move(trial));
    });
    connect(m_process, &ChildProcess::failed, this, [end, trial](const QString &message) mutable {
        trial.problem = message;
        end(std::move(trial));
    });
    m_process->start(request);
}

} // namespace warpwright
