// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/language/language_commands.h"

#include <QFileInfo>
#include <QStandardPaths>

#include <array>

namespace warpwright {
namespace {

struct KnownServer {
    const char *name;
    const char *program;
    std::array<const char *, 2> arguments;
};

/// The first that is here is taken: those that know types go first.
constexpr std::array<KnownServer, 4> knownServers{
    {{"basedpyright", "basedpyright-langserver", {"--stdio", nullptr}},
     {"pyright", "pyright-langserver", {"--stdio", nullptr}},
     {"pylsp", "pylsp", {nullptr, nullptr}},
     {"ruff", "ruff", {"server", nullptr}}}};

} // namespace

std::optional<LanguageServerCommand> pythonServerCommand(const Workspace &workspace,
                                                         const Toolchain &toolchain) {
    const QString own = toolchain.python ? QFileInfo(toolchain.python->interpreter).path() : QString();
    for (const KnownServer &server : knownServers) {
        QString program;
        if (!own.isEmpty())
            program = QStandardPaths::findExecutable(QLatin1String(server.program), {own});
        if (program.isEmpty())
            program = QStandardPaths::findExecutable(QLatin1String(server.program));
        if (program.isEmpty())
            continue;
        QStringList arguments;
        for (const char *argument : server.arguments)
            if (argument != nullptr)
                arguments << QString::fromLatin1(argument);
        return LanguageServerCommand{QString::fromLatin1(server.name), QFileInfo(program).absoluteFilePath(),
                                     arguments, workspace.folder};
    }
    return std::nullopt;
}

QString languageIdOf(const QString &file) {
    const QString suffix = QFileInfo(file).suffix().toLower();
    if (suffix == QLatin1String("cu") || suffix == QLatin1String("cuh"))
        return QStringLiteral("cuda-cpp");
    for (const char *one : {"cpp", "cc", "cxx", "h", "hpp", "hh", "hxx", "inl", "c"})
        if (suffix == QLatin1String(one))
            return QStringLiteral("cpp");
    return suffix == QLatin1String("py") ? QStringLiteral("python") : QString();
}

} // namespace warpwright
