// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/setup/mcp_command.h"

#include "agent/mcp/client_config.h"
#include "agent/mcp/mcp_server.h"
#include "agent/mcp/workspace_tools.h"
#include "app/cli/judging/evaluation_request.h"
#include "app/cli/options/shared_options.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/process/standard_input.h"
#include "app/cli/process/sweep.h"
#include "toolchain/base/text_file.h"
#include "toolchain/process/processes_below.h"

#include <CLI/CLI.hpp>

#include <QCoreApplication>
#include <QDir>
#include <QEventLoop>
#include <QFileInfo>
#include <QLocalSocket>

#include <iostream>
#include <memory>
#include <unistd.h>

namespace warpwright {
namespace {

struct McpOptions {
    QString root = QStringLiteral("."); ///< below it are the workspaces that are served
    MachineOptions machine;
    QString through;                     ///< a socket to carry lines to; empty: it serves by itself
    std::optional<McpClientKind> client; ///< whose configuration is wanted
    bool writes = false;                 ///< into the client's file
    bool isSure = false;                 ///< without asking

    void addTo(CLI::App &app);
    [[nodiscard]] QString understand() const;
};

void McpOptions::addTo(CLI::App &app) {
    addText(app, "--root", root, "The folder below which the workspaces lie (default: the current folder)")
        ->type_name("FOLDER");
    addDevice(app, machine.device);
    addPython(app, machine.python);
    CLI::Option *config =
        app.add_option_function<std::string>(
               "--config",
               [this](const std::string &name) { client = mcpClientFromName(QString::fromStdString(name)); },
               "Print what a client needs to start this: claude-code, codex, gemini or cursor")
            ->check(CLI::IsMember({"claude-code", "codex", "gemini", "cursor"}))
            ->type_name("CLIENT");
    app.add_flag("--write", writes, "Add it to the client's own file, which is asked about first")
        ->needs(config);
    app.add_flag("--yes", isSure, "Write without asking")->needs(config);
    addText(app, "--through", through,
            "Forward the lines to one of our runs: for the agents that a run starts")
        ->type_name("SOCKET")
        ->group("");
    app.footer(
        "Each server works in copies of its own: a workspace is written to only by the tool submit, and not "
        "while a window has it open.\nIt ends when its standard input does.");
}

QString McpOptions::understand() const {
    QString why = isSure && !writes ? QStringLiteral("--yes goes with --write") : QString();
    if (why.isEmpty())
        why = whyNoDevice(machine.device);
    return why.isEmpty() ? QString() : notUnderstood(why, QStringLiteral("wright mcp --help"));
}

/// Carries lines between our standard input and output and a socket.
int carry(const CommandContext &context, const QString &path) {
    QEventLoop loop;
    QLocalSocket socket;
    std::unique_ptr<StandardInput> input; // what arrives before there is a way for it stays where it is
    QString problem;
    QObject::connect(&socket, &QLocalSocket::connected, &loop, [&] {
        input = std::make_unique<StandardInput>();
        QObject::connect(input.get(), &StandardInput::arrived, &socket,
                         [&socket](const QByteArray &bytes) { socket.write(bytes); });
        QObject::connect(input.get(), &StandardInput::ended, &loop, &QEventLoop::quit);
    });
    QObject::connect(&socket, &QLocalSocket::readyRead, &loop, [&] {
        if (!writeStandardOutput(socket.readAll()))
            loop.quit();
    });
    QObject::connect(&socket, &QLocalSocket::disconnected, &loop, &QEventLoop::quit);
    QObject::connect(&socket, &QLocalSocket::errorOccurred, &loop, [&] {
        problem = socket.errorString();
        loop.quit();
    });
    QMetaObject::invokeMethod(
        &socket, [&] { socket.connectToServer(path); }, Qt::QueuedConnection);
    loop.exec();
    if (!input)
        return refuse(context,
                      QStringLiteral("Cannot reach the tools at \"%1\": %2. The run that offered them "
                                     "has ended.")
                          .arg(path, problem));
    return 0;
}

int serve(const CommandContext &context, const McpOptions &asked) {
    const QFileInfo root(QDir::current().absoluteFilePath(asked.root));
    if (!root.isDir())
        return refuse(context, QStringLiteral("Cannot serve \"%1\": it is no folder.").arg(root.filePath()));
    adoptOrphans();
    QEventLoop loop;
    Interrupt interrupt;
    {
        const EvaluationRequest request = evaluationRequestFor(context, {}, asked.machine);
        WorkspaceTools tools(root.canonicalFilePath(), request);
        McpServer server(tools, request.programVersion);
        StandardInput input;
        QObject::connect(&input, &StandardInput::arrived, &server, &McpServer::take);
        QObject::connect(&input, &StandardInput::ended, &loop, &QEventLoop::quit);
        QObject::connect(&interrupt, &Interrupt::stopAsked, &loop, &QEventLoop::quit);
        QObject::connect(&server, &McpServer::wrote, &loop, [&loop](const QByteArray &line) {
            if (!writeStandardOutput(line))
                loop.quit();
        });
        QObject::connect(&server, &McpServer::broken, &loop, [&](const QString &why) {
            print(STDERR_FILENO, QStringLiteral("The client was disconnected: %1.\n").arg(why));
            loop.quit();
        });
        loop.exec();
    }
    sweep(false);
    return interrupt.hasStopped() ? 130 : 0;
}

bool isAgreed(const QString &question) {
    print(STDERR_FILENO, question);
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "y" || answer == "yes";
}

int configure(const CommandContext &context, const McpOptions &asked) {
    McpServerEntry entry{QCoreApplication::applicationFilePath(),
                         {QStringLiteral("mcp"), QStringLiteral("--root"),
                          QDir::cleanPath(QDir::current().absoluteFilePath(asked.root))},
                         {}};
    // Where the person has put things elsewhere: Codex, for one, starts servers with next to no environment.
    for (const char *name :
         {"WARPWRIGHT_ENV", "WARPWRIGHT_DATA", "CXX", "CUDA_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        if (const QString value = qEnvironmentVariable(name); !value.isEmpty())
            entry.environment[QLatin1String(name)] = value;
    if (!asked.writes) {
        print(STDOUT_FILENO, mcpClientText(*asked.client, entry));
        return 0;
    }
    const QString file = mcpClientFile(*asked.client, QDir::homePath(), entry.arguments.last());
    QByteArray before;
    if (QFileInfo::exists(file)) {
        const Result<QByteArray> text = readTextFile(file);
        if (!text.hasValue())
            return refuse(context, text.message());
        before = text.value();
    }
    const Result<QByteArray> after = withMcpServer(*asked.client, before, entry);
    if (!after.hasValue())
        return refuse(context, QStringLiteral("Cannot add the server to \"%1\": %2. Nothing was written.")
                                   .arg(file, after.message()));
    if (after.value() == before) {
        print(STDOUT_FILENO, QStringLiteral("\"%1\" has it already.\n").arg(file));
        return 0;
    }
    if (!asked.isSure) {
        if (isatty(STDIN_FILENO) == 0)
            return refuse(context,
                          QStringLiteral("Nothing was written to \"%1\": there is no terminal to ask at. Say "
                                         "--yes to write without asking.")
                              .arg(file));
        if (!isAgreed(QStringLiteral("%1\nAdd this to \"%2\"? [y/N] ")
                          .arg(mcpClientText(*asked.client, entry), file))) {
            print(STDOUT_FILENO, QStringLiteral("Nothing was written.\n"));
            return 1;
        }
    }
    if (const Result<void> written = writeFileAtomically(file, after.value()); !written.hasValue())
        return refuse(context, written.message());
    print(STDOUT_FILENO, QStringLiteral("\"%1\" has it now. Restart the client.\n").arg(file));
    return 0;
}

int runMcp(const CommandContext &context, const McpOptions &asked) {
    if (!asked.through.isEmpty())
        return carry(context, asked.through);
    return asked.client ? configure(context, asked) : serve(context, asked);
}

} // namespace

Command mcpCommand() {
    return commandWith("mcp",
                       "Serve our tools to agents of other programs, by the Model "
                       "Context Protocol on standard input and output",
                       runMcp);
}

} // namespace warpwright
