// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/compile/compile_flags.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace warpwright {

namespace {

const QString moduleName = QStringLiteral("cuda_extension");

QStringList asSystemFolders(const QStringList &folders) {
    // -isystem: a person is to see the warnings of their own text, not torch's.
    QStringList arguments;
    for (const QString &folder : folders)
        arguments << QStringLiteral("-isystem") << folder;
    return arguments;
}

QStringList torchDefinitions(const PythonEnvironment &python) {
    return {QStringLiteral("-DTORCH_EXTENSION_NAME=") + moduleName,
            QStringLiteral("-DTORCH_API_INCLUDE_EXTENSION_H"),
            QStringLiteral("-D_GLIBCXX_USE_CXX11_ABI=%1").arg(python.usesCxx11Abi ? 1 : 0)};
}

QStringList torchFolders(const PythonEnvironment &python) {
    return python.torchIncludeFolders() << python.includeFolder;
}

/// Folders of CUDA's libraries. torch's own wheels go first: the process has loaded those already, under the
/// same names.
QStringList cudaLibraryFolders(const Toolchain &toolchain) {
    QStringList folders;
    if (!toolchain.python->nvidiaRoot.isEmpty())
        folders << toolchain.python->nvidiaRoot + QStringLiteral("/lib");
    for (const QString &wheel : toolchain.python->nvidiaFolders)
        folders << wheel + QStringLiteral("/lib");
    if (toolchain.cuda)
        folders << toolchain.cuda->libraryFolders;
    folders.removeDuplicates();
    return folders;
}

} // namespace

QString findLibrary(const QStringList &folders, const QString &name) {
    const QString plain = QStringLiteral("lib%1.so").arg(name);
    for (const QString &folder : folders) {
        if (QFileInfo::exists(folder + QLatin1Char('/') + plain))
            return folder + QLatin1Char('/') + plain;
        const QStringList numbered =
            QDir(folder).entryList({plain + QStringLiteral(".*")}, QDir::Files, QDir::Name);
        // The shortest is the one that the loader asks for: libcudnn.so.9, not libcudnn.so.9.19.0.
        const auto shortest =
            std::min_element(numbered.begin(), numbered.end(),
                             [](const QString &a, const QString &b) { return a.size() < b.size(); });
        if (shortest != numbered.end())
            return folder + QLatin1Char('/') + *shortest;
    }
    return {};
}

QStringList cudaIncludeFolders(const Toolchain &toolchain) {
    QStringList folders;
    if (toolchain.cuda) {
        folders << toolchain.cuda->includeFolder;
        // CUDA 13 moved thrust, cub and libcu++ one folder down; nvcc adds it by itself, g++ does not.
        folders << toolchain.cuda->includeFolder + QStringLiteral("/cccl");
    }
    const PythonEnvironment &python = *toolchain.python;
    // Headers of another major version beside the toolkit's would be worse than none.
    const bool sameMajor = !toolchain.cuda || python.torchCuda.section(QLatin1Char('.'), 0, 0).toInt() ==
                                                  toolchain.cuda->majorVersion();
    if (!python.nvidiaRoot.isEmpty() && sameMajor)
        folders << python.nvidiaRoot + QStringLiteral("/include")
                << python.nvidiaRoot + QStringLiteral("/include/cccl");
    for (const QString &wheel : python.nvidiaFolders)
        if (wheel != python.nvidiaRoot && (sameMajor || wheel == python.cudnnRoot))
            folders << wheel + QStringLiteral("/include");
    folders.removeIf([](const QString &folder) { return !QFileInfo(folder).isDir(); });
    folders.removeDuplicates();
    return folders;
}

QStringList nvccArguments(const Workspace &workspace, const Toolchain &toolchain,
                          const QString &architecture) {
    const QString virtualOne = QStringLiteral("compute_") + architecture.mid(3);
    QStringList arguments = {QStringLiteral("-c"), QStringLiteral("-std=c++17"), QStringLiteral("-O3")};
    if (workspace.hasUtils) {
        // CUDA-Agent's utils/compile.py asks for the first; torch.utils.cpp_extension, which it calls, adds
        // the others.
        arguments << QStringLiteral("--use_fast_math") << QStringLiteral("-D__CUDA_NO_HALF_OPERATORS__")
                  << QStringLiteral("-D__CUDA_NO_HALF_CONVERSIONS__")
                  << QStringLiteral("-D__CUDA_NO_BFLOAT16_CONVERSIONS__")
                  << QStringLiteral("-D__CUDA_NO_HALF2_OPERATORS__");
    }
    arguments << QStringLiteral("-gencode=arch=%1,code=%2").arg(virtualOne, architecture)
              << QStringLiteral("-Xptxas") << QStringLiteral("-v") << QStringLiteral("-lineinfo")
              << QStringLiteral("--expt-relaxed-constexpr") << QStringLiteral("-Xcompiler")
              << QStringLiteral("-fPIC") << QStringLiteral("-ccbin") << toolchain.hostCompiler->path;
    // GCC otherwise asks for the real path of every place where it looks for a header, 12,000 readlink() for
    // cuda_runtime.h: 20 to 45 ms of each of nvcc's two runs of it, and more in the sandbox.
    if (toolchain.hostCompiler->isGcc())
        arguments << QStringLiteral("-Xcompiler") << QStringLiteral("-fno-canonical-system-headers");
    if (toolchain.python) {
        // Kernels rarely include torch's headers, but they may.
        arguments << torchDefinitions(*toolchain.python) << asSystemFolders(torchFolders(*toolchain.python));
        QStringList cuda = cudaIncludeFolders(toolchain);
        // nvcc finds its own; naming them again would change their order against its cccl folder.
        cuda.removeIf(
            [&toolchain](const QString &folder) { return folder.startsWith(toolchain.cuda->includeFolder); });
        arguments << asSystemFolders(cuda);
    }
    return arguments;
}

QStringList cxxArguments(const Workspace &, const Toolchain &toolchain, TargetKind kind) {
    QStringList arguments = {QStringLiteral("-c"), QStringLiteral("-std=c++17"), QStringLiteral("-O3"),
                             QStringLiteral("-fPIC")};
    if (kind == TargetKind::Cpu)
        arguments << QStringLiteral("-march=native") << QStringLiteral("-fopenmp")
                  << QStringLiteral("-DWARPWRIGHT_CPU");
    // GCC 12 makes wrong code of sums under conditions where a loop becomes AVX-512
    // (docs/notebook/2026-11-24.md#gcc-12-and-avx-512).
    if (kind == TargetKind::Cpu && toolchain.hostCompiler->isGcc())
        arguments << QStringLiteral("-fno-code-hoisting");
    // GCC else counts a tab as up to eight columns, and a diagnostic's place is one in the text.
    if (toolchain.hostCompiler->isGcc())
        arguments << QStringLiteral("-ftabstop=1");
    arguments << torchDefinitions(*toolchain.python) << asSystemFolders(torchFolders(*toolchain.python));
    if (kind == TargetKind::Cuda)
        arguments << asSystemFolders(cudaIncludeFolders(toolchain));
    return arguments;
}

QStringList torchLibraries(TargetKind kind) {
    QStringList names{QStringLiteral("c10"), QStringLiteral("torch"), QStringLiteral("torch_cpu"),
                      QStringLiteral("torch_python")};
    if (kind == TargetKind::Cuda)
        names << QStringLiteral("torch_cuda") << QStringLiteral("c10_cuda");
    return names;
}

bool linksWithStandIn(const Toolchain &toolchain) {
    return toolchain.hostCompiler->linker.isEmpty(); // lld reads fast, and tells of missing names otherwise
}

QStringList linkArguments(const Toolchain &toolchain, TargetKind kind) {
    const PythonEnvironment &python = *toolchain.python;
    QStringList arguments{QStringLiteral("-shared")};
    if (linksWithStandIn(toolchain)) {
        arguments << QStringLiteral("-Wl,--no-demangle"); // names are looked up as they are
    } else {
        arguments << QStringLiteral("-L") + python.torchLibraryFolder();
        for (const QString &library : torchLibraries(kind))
            arguments << QStringLiteral("-l") + library;
    }
    QStringList runtime;
    QStringList optional;
    if (kind == TargetKind::Cuda) {
        const QStringList cuda = cudaLibraryFolders(toolchain);
        runtime << findLibrary(cuda, QStringLiteral("cudart"));
        // The stub has the driver's symbols, so that linking needs no driver; at run time the driver's own
        // library is found.
        QStringList withStubs = cuda;
        for (const QString &folder : cuda)
            withStubs << folder + QStringLiteral("/stubs");
        for (const char *name : {"cublas", "cublasLt", "cudnn", "cuda"})
            optional << findLibrary(withStubs, QLatin1String(name));
    } else {
        arguments << QStringLiteral("-fopenmp");
        const QStringList system = {
            QStringLiteral("/usr/lib/x86_64-linux-gnu"), QStringLiteral("/usr/lib/aarch64-linux-gnu"),
            QStringLiteral("/usr/lib64"), QStringLiteral("/usr/lib"), QStringLiteral("/usr/local/lib")};
        for (const char *name : {"openblas", "dnnl"})
            optional << findLibrary(system, QLatin1String(name));
    }
    runtime.removeAll(QString());
    optional.removeAll(QString());
    arguments << runtime;
    // Allowed for the candidate, but needed only by those that call them.
    if (!optional.isEmpty())
        arguments << QStringLiteral("-Wl,--as-needed") << optional;
    QStringList folders = {python.torchLibraryFolder()};
    for (const QString &library : runtime + optional)
        folders << QFileInfo(library).path();
    folders.removeDuplicates();
    for (const QString &folder : folders)
        if (!folder.endsWith(QLatin1String("/stubs")))
            arguments << QStringLiteral("-Wl,-rpath,") + folder;
    if (!toolchain.hostCompiler->linker.isEmpty())
        arguments << QStringLiteral("-fuse-ld=") + toolchain.hostCompiler->linker;
    // A launcher that is declared but nowhere defined would only show when Python loads the extension.
    // Python's own symbols are missing by design (the interpreter has them), so missing ones are reported and
    // judged by CompileRun.
    arguments << QStringLiteral("-Wl,--no-undefined") << QStringLiteral("-Wl,--warn-unresolved-symbols");
    return arguments;
}

} // namespace warpwright
