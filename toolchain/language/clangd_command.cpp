// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/text_file.h"
#include "toolchain/compile/compile_plan.h"
#include "toolchain/compile/source_hash.h"
#include "toolchain/language/clangd_arguments.h"
#include "toolchain/language/find_clangd.h"
#include "toolchain/language/language_commands.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <map>

namespace warpwright {
namespace {

using Answer = Result<LanguageServerCommand>;

/// By the file's absolute path: what clang is told.
using Commands = std::map<QString, QStringList>;

QStringList clangArguments(const CompileStep &step, const Toolchain &toolchain, const QString &architecture,
                           const QString &nvccWords) {
    const QStringList arguments = step.arguments.mid(0, step.arguments.size() - 1); // the last is the source
    return toolchain.cuda && step.tool == toolchain.cuda->nvcc
               ? clangArgumentsOfNvcc(arguments, *toolchain.cuda, architecture, nvccWords)
               : clangArgumentsOfCxx(arguments);
}

/// A source that an earlier plan knew keeps its command; a header has that of the first that includes it.
void addCommands(Commands &commands, const Workspace &workspace, const CompilePlan &plan,
                 const Toolchain &toolchain, const QString &nvccWords) {
    SourceHash includes(workspace.folder);
    for (const CompileStep &step : plan.steps) {
        const QStringList arguments = clangArguments(step, toolchain, plan.target.architecture, nvccWords);
        const QString source = QDir::cleanPath(workspace.folder + QLatin1Char('/') + step.source);
        commands.emplace(source, arguments);
        const auto files = includes.filesOf(step.source, step.countsAllHeaders);
        if (!files.hasValue())
            continue;
        for (const QString &file : files.value()) {
            const QString suffix = QFileInfo(file).suffix();
            if (suffix != QLatin1String("cu") && suffix != QLatin1String("cpp"))
                commands.emplace(file, arguments.contains(QLatin1String("cuda"))
                                           ? arguments
                                           : QStringList{QStringLiteral("-x"), QStringLiteral("c++-header")} +
                                                 arguments);
        }
    }
}

QByteArray databaseOf(const Commands &commands, const Workspace &workspace) {
    Json list = Json::array();
    for (const auto &[file, arguments] : commands)
        list.push_back(
            Json{{"directory", toJson(workspace.folder)},
                 {"file", toJson(file)},
                 {"arguments", stringsToJson<Json>(QStringList{QStringLiteral("clang++")} + arguments +
                                                   QStringList{QStringLiteral("--"), file})}});
    return dumpJson(list, 1) + '\n';
}

} // namespace

Answer clangdCommand(const Workspace &given, const Toolchain &toolchain) {
    const ClangdPlace clangd = findClangd(toolchain);
    if (clangd.program.isEmpty())
        return Answer::error(whyNoClangd(toolchain));
    const DataFolders folders = DataFolders::find();
    const Result<Settings> loaded = Settings::load(folders.settingsFile());
    const Settings settings = loaded.hasValue() ? loaded.value() : Settings();
    Workspace workspace = given; // compiled as a check does it
    workspace.task = workspace.task.withDefaults(settings);
    const GpuDevice *device = toolchain.devices.empty() ? nullptr : &toolchain.devices.front();
    const QString architecture = chooseArchitecture(workspace, settings, device);
    // What is compiled here goes first; the twins of a machine with a device, and the other way round,
    // follow.
    std::vector<TargetKind> kinds{TargetKind::Cuda, TargetKind::Cpu};
    if (device == nullptr)
        std::reverse(kinds.begin(), kinds.end());
    Commands commands;
    QString problem;
    const QString nvccWords = folders.resources + QStringLiteral("/language/nvcc_words.h");
    for (const TargetKind kind : kinds) {
        const auto plan = makeCompilePlan(workspace, toolchain, {kind, architecture});
        if (plan.hasValue())
            addCommands(commands, workspace, plan.value(), toolchain, nvccWords);
        else if (problem.isEmpty())
            problem = plan.message();
    }
    if (commands.empty() && !problem.isEmpty())
        return Answer::error(problem);
    const QString folder = workspace.state + QStringLiteral("/language");
    const QString database = folder + QStringLiteral("/compile_commands.json");
    const QByteArray text = databaseOf(commands, workspace);
    // clangd looks at its time: an untouched one keeps what is open as it is.
    if (const auto present = readTextFile(database); !present.hasValue() || present.value() != text)
        if (const auto written = writeFileAtomically(database, text); !written.hasValue())
            return Answer::error(written.message());
    LanguageServerCommand command;
    command.name = QStringLiteral("clangd");
    command.program = clangd.program;
    command.folder = workspace.folder;
    command.temporary = folder + QStringLiteral("/tmp");
    command.words = folders.resources + QStringLiteral("/language/cuda_words.json");
    command.arguments = {QStringLiteral("--compile-commands-dir=") + folder,
                         QStringLiteral("--background-index"), // lies beside the commands
                         QStringLiteral("--background-index-priority=background"),
                         QStringLiteral("-j=2"),
                         QStringLiteral("--pch-storage=disk"),
                         QStringLiteral("--limit-results=200"),
                         QStringLiteral("--header-insertion=never"),
                         QStringLiteral("--header-insertion-decorators=0"),
                         QStringLiteral("--all-scopes-completion=0"),
                         QStringLiteral("--clang-tidy=0"),
                         QStringLiteral("--fallback-style=none"), // only a .clang-format lays out
                         QStringLiteral("--log=error")};
    return Answer::ok(std::move(command));
}

} // namespace warpwright
