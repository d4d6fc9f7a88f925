// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/acp/acp_terminals.h"

#include <QDir>
#include <QTimer>

namespace warpwright {

struct AcpTerminals::Terminal {
    AcpCommandState state;
    QByteArray output;
    qint64 mostBytes = 0;
    std::unique_ptr<ChildProcess> process;
    std::vector<Ended> waiting;
};

AcpTerminals::AcpTerminals(AcpSandbox sandbox, QString folder, QObject *parent)
    : QObject(parent), m_sandbox(sandbox.withoutNetwork()), m_folder(QDir::cleanPath(folder)) {}

AcpTerminals::~AcpTerminals() = default;

Result<QString> AcpTerminals::create(const AcpCommand &command) {
    const QString folder = command.folder.isEmpty() ? m_folder : QDir::cleanPath(command.folder);
    if (folder != m_folder && !folder.startsWith(m_folder + QLatin1Char('/')))
        return Result<QString>::error(
            QStringLiteral("Cannot run \"%1\" in \"%2\": only in the work folder \"%3\".")
                .arg(command.program, command.folder, m_folder));
    if (m_terminals.size() >= mostTerminals)
        return Result<QString>::error(
            QStringLiteral("Cannot run \"%1\": %2 terminals are there already. Release some.")
                .arg(command.program)
                .arg(mostTerminals));
    const QString id = QStringLiteral("terminal-%1").arg(++m_last);
    Terminal &terminal = *(m_terminals[id] = std::make_unique<Terminal>());
    terminal.mostBytes = command.outputBytes;
    terminal.process = std::make_unique<ChildProcess>();
    const auto take = [this, &terminal](const QByteArray &bytes) {
        this->take(terminal, bytes);
    };
    connect(terminal.process.get(), &ChildProcess::outputArrived, this, take);
    connect(terminal.process.get(), &ChildProcess::errorArrived, this, take);
    connect(terminal.process.get(), &ChildProcess::failed, this, [this, &terminal](const QString &why) {
        this->take(terminal, why.toUtf8() + '\n');
        terminal.state.exitCode = 127;
        end(terminal);
    });
    connect(terminal.process.get(), &ChildProcess::finished, this,
            [this, &terminal](const ProcessOutcome &outcome) {
                terminal.state.exitCode = outcome.exitCode;
                terminal.state.signal = outcome.signal;
                end(terminal);
            });
    ProcessRequest request;
    request.program = command.program;
    request.arguments = command.arguments;
    // Some agents send a whole line of a shell.
    if (command.arguments.isEmpty() && command.program.contains(QLatin1Char(' '))) {
        request.program = QStringLiteral("/bin/bash");
        request.arguments = {QStringLiteral("-c"), command.program};
    }
    request.workingFolder = folder;
    for (const auto &[name, value] : command.environment)
        request.environment.insert(name, value);
    request.keepsOutput = false;
    terminal.process->start(m_sandbox.around(request));
    return Result<QString>::ok(id);
}

void AcpTerminals::take(Terminal &terminal, const QByteArray &bytes) {
    terminal.output += bytes;
    if (terminal.output.size() <= terminal.mostBytes)
        return;
    terminal.state.isTruncated = true;
    terminal.output = terminal.output.right(terminal.mostBytes);
    // What is left begins with a whole character.
    qsizetype begin = 0;
    while (begin < terminal.output.size() &&
           (static_cast<unsigned char>(terminal.output[begin]) & 0xC0U) == 0x80U)
        ++begin;
    terminal.output.remove(0, begin);
}

void AcpTerminals::end(Terminal &terminal) {
    terminal.state.hasEnded = true;
    for (const Ended &ended : std::exchange(terminal.waiting, {}))
        ended(terminal.state);
}

std::optional<AcpCommandState> AcpTerminals::state(const QString &id) const {
    const auto found = m_terminals.find(id);
    if (found == m_terminals.end())
        return std::nullopt;
    AcpCommandState state = found->second->state;
    state.output = QString::fromUtf8(found->second->output);
    return state;
}

bool AcpTerminals::waitFor(const QString &id, Ended ended) {
    const auto found = m_terminals.find(id);
    if (found == m_terminals.end())
        return false;
    if (found->second->state.hasEnded)
        QTimer::singleShot(0, this,
                           [ended = std::move(ended), state = found->second->state] { ended(state); });
    else
        found->second->waiting.push_back(std::move(ended));
    return true;
}

bool AcpTerminals::kill(const QString &id) {
    const auto found = m_terminals.find(id);
    if (found == m_terminals.end())
        return false;
    found->second->process->cancel();
    return true;
}

bool AcpTerminals::release(const QString &id) {
    const auto found = m_terminals.find(id);
    if (found == m_terminals.end())
        return false;
    const std::unique_ptr<Terminal> terminal = std::move(found->second);
    m_terminals.erase(found);
    if (!terminal->state.hasEnded) {
        terminal->state.signal = 9;
        end(*terminal); // whoever waits for it
    }
    return true;
}

} // namespace warpwright
