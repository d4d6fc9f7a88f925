// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/mcp/mcp_server.h"
#include "agent/mcp/workspace_tools.h"
#include "app/cli/command.h"
#include "app/cli/evaluation_request.h"
#include "app/cli/interrupt.h"
#include "app/cli/standard_input.h"
#include "app/cli/sweep.h"
#include "toolchain/base/text_file.h"
#include "toolchain/process/processes_below.h"

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

int serve(const CommandContext &context) {
    const QFileInfo root(QDir::current().absoluteFilePath(context.line.mcp.root));
    if (!root.isDir())
        return refuse(context, QStringLiteral("Cannot serve \"%1\": it is no folder.").arg(root.filePath()));
    adoptOrphans();
    QEventLoop loop;
    Interrupt interrupt;
    {
        WorkspaceTools tools(root.canonicalFilePath(), evaluationRequestFor(context));
        McpServer server(tools, evaluationRequestFor(context).programVersion);
        StandardInput input;
        QObject::connect(&input, &StandardInput::arrived, &server, &McpServer::take);
        QObject::connect(&input, &StandardInput::ended, &loop, &QEventLoop::quit);
        QObject::connect(&interrupt, &Interrupt::stopAsked, &loop, &QEventLoop::quit);
        QObject::connect(&server, &McpServer::wrote, &loop, [&loop](const QByteArray &line) {
            if (!writeStandardOutput(line))
                loop.quit();
        });
        QObject::connect(&server, &McpServer::broken, &loop, [&](const QString &why) {
            print(STDERR_FILENO, QStringLiteral("The client was let go: %1.\n").arg(why));
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

int configure(const CommandContext &context) {
    const McpLine &line = context.line.mcp;
    McpServerEntry entry{QCoreApplication::applicationFilePath(),
                         {QStringLiteral("mcp"), QStringLiteral("--root"),
                          QDir::cleanPath(QDir::current().absoluteFilePath(line.root))},
                         {}};
    // Where the person has put things elsewhere: Codex, for one, starts servers with next to no environment.
    for (const char *name :
         {"WARPWRIGHT_ENV", "WARPWRIGHT_DATA", "CXX", "CUDA_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        if (const QString value = qEnvironmentVariable(name); !value.isEmpty())
            entry.environment[QLatin1String(name)] = value;
    if (!line.writes) {
        print(STDOUT_FILENO, mcpClientText(*line.client, entry));
        return 0;
    }
    const QString file = mcpClientFile(*line.client, QDir::homePath(), entry.arguments.last());
    QByteArray before;
    if (QFileInfo::exists(file)) {
        const Result<QByteArray> text = readTextFile(file);
        if (!text.hasValue())
            return refuse(context, text.message());
        before = text.value();
    }
    const Result<QByteArray> after = withMcpServer(*line.client, before, entry);
    if (!after.hasValue())
        return refuse(context, QStringLiteral("Cannot add the server to \"%1\": %2. Nothing was written.")
                                   .arg(file, after.message()));
    if (after.value() == before) {
        print(STDOUT_FILENO, QStringLiteral("\"%1\" has it already.\n").arg(file));
        return 0;
    }
    if (!line.isSure) {
        if (isatty(STDIN_FILENO) == 0)
            return refuse(context,
                          QStringLiteral("Nothing was written to \"%1\": there is no terminal to ask at. Say "
                                         "--yes to write without asking.")
                              .arg(file));
        if (!isAgreed(QStringLiteral("%1\nAdd this to \"%2\"? [y/N] ")
                          .arg(mcpClientText(*line.client, entry), file))) {
            print(STDOUT_FILENO, QStringLiteral("Nothing was written.\n"));
            return 1;
        }
    }
    if (const Result<void> written = writeFileAtomically(file, after.value()); !written.hasValue())
        return refuse(context, written.message());
    print(STDOUT_FILENO, QStringLiteral("\"%1\" has it now. Restart the client.\n").arg(file));
    return 0;
}

} // namespace

int runMcp(const CommandContext &context) {
    if (!context.line.mcp.through.isEmpty())
        return carry(context, context.line.mcp.through);
    return context.line.mcp.client ? configure(context) : serve(context);
}

} // namespace warpwright
