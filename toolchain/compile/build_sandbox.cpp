// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/compile/build_sandbox.h"

#include <QDir>
#include <QFileInfo>

#include <unistd.h>

namespace warpwright {
namespace {

bool holds(const QString &folder, const QString &path) {
    return path == folder || folder == QLatin1String("/") || path.startsWith(folder + QLatin1Char('/'));
}

/// Folders that would open the home or the workspace are left out: what is needed in them is named by itself.
void addFolder(QStringList &paths, const QString &folder, const QString &workspace) {
    const QString clean = QDir::cleanPath(folder);
    if (folder.isEmpty() || holds(clean, QDir::homePath()) || holds(clean, workspace) ||
        paths.contains(clean))
        return;
    paths << clean;
    const QString real = QFileInfo(clean).canonicalFilePath();
    if (!real.isEmpty() && real != clean)
        addFolder(paths, real, workspace);
}

/// A compiler's own files lie around bin/: lib/, libexec/, nvvm/.
void addTool(QStringList &paths, const QString &tool, const QString &workspace) {
    for (const QString &file : {tool, QFileInfo(tool).canonicalFilePath()}) {
        if (file.isEmpty())
            continue;
        const QString folder = QFileInfo(file).path();
        addFolder(paths, folder, workspace);
        if (folder.endsWith(QLatin1String("/bin")))
            addFolder(paths, QFileInfo(folder).path(), workspace);
    }
}

/// The reference, the history and what is no source are not for compilers.
QStringList sourcesIn(const QString &workspace) {
    QStringList paths;
    const QDir folder(workspace);
    for (const QFileInfo &entry : folder.entryInfoList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot)) {
        if (entry.suffix() == QLatin1String("py") || entry.fileName() == QLatin1String("utils"))
            continue;
        paths << entry.filePath();
        if (entry.isSymLink())
            paths << entry.canonicalFilePath();
    }
    return paths;
}

} // namespace

QString findSandboxProgram(const QString &executableFolder) {
    for (const char *place : {"/warpwright-sandbox", "/../libexec/warpwright/warpwright-sandbox"}) {
        const QString program = QDir::cleanPath(executableFolder + QLatin1String(place));
        if (QFileInfo(program).isExecutable())
            return program;
    }
    return {};
}

QStringList toolchainPaths(const Toolchain &toolchain, const QProcessEnvironment &environment,
                           const QString &workspace) {
    QStringList paths;
    for (const char *path :
         {"/usr", "/bin", "/lib", "/lib64", "/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime"})
        paths << QString::fromLatin1(path);
    if (toolchain.hostCompiler)
        addTool(paths, toolchain.hostCompiler->path, workspace);
    if (toolchain.cuda) {
        addTool(paths, toolchain.cuda->nvcc, workspace);
        for (const QString &folder : QStringList{toolchain.cuda->root, toolchain.cuda->includeFolder} +
                                         toolchain.cuda->libraryFolders)
            addFolder(paths, folder, workspace);
    }
    if (toolchain.python) {
        const PythonEnvironment &python = *toolchain.python;
        for (const QString &folder :
             QStringList{python.torchFolder, python.includeFolder, python.nvidiaRoot, python.cudnnRoot} +
                 python.nvidiaFolders)
            addFolder(paths, folder, workspace);
    }
    for (const QString &folder :
         environment.value(QStringLiteral("LD_LIBRARY_PATH")).split(QLatin1Char(':'), Qt::SkipEmptyParts))
        addFolder(paths, folder, workspace);
    return paths;
}

BuildSandbox makeBuildSandbox(const QString &program, const CompilePlan &plan, const Toolchain &toolchain,
                              const QProcessEnvironment &environment) {
    BuildSandbox sandbox;
    if (program.isEmpty())
        return sandbox;
    sandbox.program = program;
    QStringList paths = toolchainPaths(toolchain, environment, plan.workspace);
    for (const CompileStep &step : plan.steps)
        addTool(paths, step.tool, plan.workspace);
    addTool(paths, plan.linker, plan.workspace);
    paths << sourcesIn(plan.workspace);

    sandbox.words << QStringLiteral("--kind") << QStringLiteral("namespaces") << QStringLiteral("--or-weaker")
                  << QStringLiteral("1") << QStringLiteral("--profile") << QStringLiteral("build");
    // A template bomb is to meet this and not the machine's end.
    const qint64 memory = static_cast<qint64>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    sandbox.words << QStringLiteral("--address-bytes") << QString::number(memory);
    sandbox.words << QStringLiteral("--file-bytes") << QString::number(8LL << 30);
    for (const QString &path : paths)
        sandbox.words << QStringLiteral("--read") << path;
    return sandbox;
}

QStringList BuildSandbox::arguments(const QString &workspace, const QStringList &readable,
                                    const QStringList &writable, const QString &tool,
                                    const QStringList &toolArguments) const {
    QStringList all = words;
    for (const QString &path : readable)
        all << QStringLiteral("--read") << path;
    for (const QString &path : writable)
        all << QStringLiteral("--write") << path;
    all << QStringLiteral("--folder") << workspace << QStringLiteral("--") << tool;
    return all + toolArguments;
}

QProcessEnvironment buildEnvironment(const QProcessEnvironment &ours, const QString &tool,
                                     const QString &scratch) {
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("PATH"), QFileInfo(tool).path() + QStringLiteral(":/usr/bin:/bin"));
    // A compiler that a module system brought finds its own libraries by it.
    if (ours.contains(QStringLiteral("LD_LIBRARY_PATH")))
        environment.insert(QStringLiteral("LD_LIBRARY_PATH"), ours.value(QStringLiteral("LD_LIBRARY_PATH")));
    // English words for the parser, UTF-8 for names, temporary files where we look after them.
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
    environment.insert(QStringLiteral("TMPDIR"), scratch);
    environment.insert(QStringLiteral("HOME"), scratch);
    return environment;
}

} // namespace warpwright
