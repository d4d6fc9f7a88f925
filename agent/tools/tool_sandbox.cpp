// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/tool_sandbox.h"

#include "agent/tools/work_folder.h"
#include "toolchain/compile/build_sandbox.h"
#include "toolchain/setup/sandbox_facts.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace warpwright {
namespace {

/// A fork bomb is to meet this and not the machine's end.
constexpr int mostProcesses = 8192;
constexpr qint64 mostFileBytes = 8LL << 30;

QStringList deviceFiles() {
    QStringList files;
    for (const char *folder : {"/dev", "/dev/nvidia-caps"})
        for (const QFileInfo &entry :
             QDir(QLatin1String(folder)).entryInfoList({QStringLiteral("nvidia*")}, QDir::System))
            if (!entry.isDir() && entry.fileName() != QLatin1String("nvidia-modeset"))
                files << entry.filePath();
    return files;
}

/// Of a virtual environment: its folder, and where its interpreter really lies.
QStringList pythonPaths(const PythonEnvironment &python) {
    QStringList paths;
    const auto prefixOf = [](const QString &file) {
        return QDir::cleanPath(QFileInfo(file).path() + QStringLiteral("/.."));
    };
    const QString own = prefixOf(python.interpreter);
    if (QFileInfo::exists(own + QStringLiteral("/pyvenv.cfg")))
        paths << own;
    if (const QString real = QFileInfo(python.interpreter).canonicalFilePath(); !real.isEmpty())
        paths << prefixOf(real);
    return paths;
}

/// Whoever may read `path` may read one of these.
bool opensOneOf(const QString &path, const QStringList &closed) {
    return path.isEmpty() || path == QLatin1String("/") ||
           std::any_of(closed.begin(), closed.end(), [&path](const QString &one) {
               return one == path || one.startsWith(path + QLatin1Char('/'));
           });
}

QProcessEnvironment environmentFor(const WorkFolder &work, const Toolchain &toolchain,
                                   const QProcessEnvironment &ours, bool withDevices) {
    QStringList programs;
    if (toolchain.python)
        programs << QFileInfo(toolchain.python->interpreter).path();
    if (toolchain.cuda)
        programs << QFileInfo(toolchain.cuda->nvcc).path();
    programs << QStringLiteral("/usr/local/bin") << QStringLiteral("/usr/bin") << QStringLiteral("/bin");
    programs.removeDuplicates();
    const QString scratch = work.folder() + QLatin1Char('/') + QLatin1String(WorkFolder::scratch);
    QProcessEnvironment environment = buildEnvironment(ours, QStringLiteral("/usr/bin/bash"), scratch);
    environment.insert(QStringLiteral("PATH"), programs.join(QLatin1Char(':')));
    // Who asks for the name of a user nobody has told of.
    environment.insert(QStringLiteral("USER"), QStringLiteral("agent"));
    environment.insert(QStringLiteral("LOGNAME"), QStringLiteral("agent"));
    environment.insert(QStringLiteral("TERM"), QStringLiteral("dumb"));
    // torch.compile in one process: its pool of compilers needs /dev/shm, which is not in the sandbox, and
    // never answers without.
    environment.insert(QStringLiteral("TORCHINDUCTOR_COMPILE_THREADS"), QStringLiteral("1"));
    if (toolchain.cuda)
        environment.insert(QStringLiteral("CUDA_HOME"), toolchain.cuda->root);
    const QString visible = QStringLiteral("CUDA_VISIBLE_DEVICES");
    if (withDevices && ours.contains(visible))
        environment.insert(visible, ours.value(visible));
    return environment;
}

} // namespace

QStringList ToolSandbox::arguments(const QString &folder, const QString &tool,
                                   const QStringList &toolArguments) const {
    return words + QStringList{QStringLiteral("--folder"), folder, QStringLiteral("--"), tool} +
           toolArguments;
}

Result<ToolSandbox> makeToolSandbox(const WorkFolder &work, const Toolchain &toolchain,
                                    const DataFolders &folders, const QProcessEnvironment &ours,
                                    bool withDevices) {
    using Answer = Result<ToolSandbox>;
    ToolSandbox sandbox;
    sandbox.program = findSandboxProgram(QCoreApplication::applicationDirPath());
    if (sandbox.program.isEmpty())
        return Answer::error(QStringLiteral(
            "Cannot run a command: \"warpwright-sandbox\" is not installed beside this program, "
            "and nothing is run outside a sandbox. The tools read, write, edit, "
            "compile, verify and profile work."));
    const SandboxFacts facts = findSandboxFacts();
    if (facts.landlockAbi == 0 && !facts.mayMakeUserNamespace)
        return Answer::error(
            QStringLiteral("Cannot run a command: this system lets no sandbox be built "
                           "for it (no Landlock; namespaces: %1). The tools read, write, edit, "
                           "compile, verify and profile work.")
                .arg(facts.whyNoUserNamespace));
    QStringList readable = toolchainPaths(toolchain, ours, work.folder());
    if (toolchain.python)
        readable += pythonPaths(*toolchain.python);
    // The person's and the judge's: what lies below them is read only where it was named by itself.
    const QStringList closed{QDir::homePath(), work.workspaceFolder(), folders.data, folders.cache,
                             folders.config};
    readable.erase(std::remove_if(readable.begin(), readable.end(),
                                  [&closed](const QString &path) { return opensOneOf(path, closed); }),
                   readable.end());
    readable += work.linkedFiles();
    readable << QStringLiteral("/sys/devices/system/cpu") << QStringLiteral("/sys/devices/system/node");
    // Triton asks /sbin/ldconfig where the driver's library is, by this name, and compiles nothing without
    // it.
    readable << QStringLiteral("/sbin");
    // What is weaker is Landlock, and no sandbox at all only where there is none: then it must be namespaces.
    const bool mayBeWeaker = facts.landlockAbi > 0;
    sandbox.words << QStringLiteral("--kind") << QStringLiteral("namespaces") << QStringLiteral("--or-weaker")
                  << (mayBeWeaker ? QStringLiteral("1") : QStringLiteral("0")) << QStringLiteral("--profile")
                  << (withDevices ? QStringLiteral("tools") : QStringLiteral("build"))
                  << QStringLiteral("--processes") << QString::number(mostProcesses)
                  << QStringLiteral("--file-bytes") << QString::number(mostFileBytes);
    for (const QString &path : readable)
        sandbox.words << QStringLiteral("--read") << path;
    if (withDevices)
        for (const QString &file : deviceFiles())
            sandbox.words << QStringLiteral("--device") << file;
    sandbox.words << QStringLiteral("--write") << work.folder();
    sandbox.environment = environmentFor(work, toolchain, ours, withDevices);
    return Answer::ok(std::move(sandbox));
}

} // namespace warpwright
