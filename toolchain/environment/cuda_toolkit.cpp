// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/environment/cuda_toolkit.h"

#include "toolchain/environment/python_environment.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

namespace warpwright {

namespace {

QString executableIn(const QString &folder, const QString &name) {
    const QFileInfo info(folder + QLatin1Char('/') + name);
    return info.isFile() && info.isExecutable() ? info.filePath() : QString();
}

/// Debian's nvidia-cuda-toolkit and conda put nvcc in a bin/ whose neighbour include/ is shared with
/// everything else.
QString rootOf(const QString &nvcc) {
    // /usr/local/cuda/bin/nvcc may be reached through a link in /usr/local/bin: the real one has its toolkit
    // beside it.
    const QFileInfo info(nvcc);
    const QString plain = QDir::cleanPath(info.absolutePath() + QStringLiteral("/.."));
    if (QFileInfo::exists(plain + QStringLiteral("/include/cuda_runtime.h")))
        return plain;
    return QDir::cleanPath(QFileInfo(info.canonicalFilePath()).path() + QStringLiteral("/.."));
}

} // namespace

std::vector<CudaPlace> findCudaPlaces(const QString &fromSettings, const QProcessEnvironment &environment,
                                      const QString &nvidiaRoot) {
    std::vector<CudaPlace> places;
    const auto add = [&places](const QString &folder, const QString &source, bool mustBeThere) {
        const QString root = QDir::cleanPath(folder);
        const QString nvcc = executableIn(root + QStringLiteral("/bin"), QStringLiteral("nvcc"));
        if (nvcc.isEmpty() && mustBeThere)
            return;
        for (const CudaPlace &place : places)
            if (place.nvcc == nvcc)
                return;
        places.push_back({root, nvcc.isEmpty() ? root + QStringLiteral("/bin/nvcc") : nvcc, source});
    };
    if (!fromSettings.isEmpty())
        add(fromSettings, QStringLiteral("the settings file"), false);
    for (const char *name : {"CUDA_HOME", "CUDA_PATH"}) {
        const QString folder = environment.value(QLatin1String(name));
        if (!folder.isEmpty())
            add(folder, QLatin1String(name), true);
    }
    const QStringList path =
        environment.value(QStringLiteral("PATH")).split(QLatin1Char(':'), Qt::SkipEmptyParts);
    for (const QString &folder : path) {
        const QString nvcc = executableIn(folder, QStringLiteral("nvcc"));
        if (nvcc.isEmpty())
            continue;
        add(rootOf(nvcc), QStringLiteral("PATH"), true);
        break;
    }
    add(QStringLiteral("/usr/local/cuda"), QStringLiteral("/usr/local/cuda"), true);
    if (!nvidiaRoot.isEmpty())
        add(nvidiaRoot, QStringLiteral("the Python environment"), true);
    return places;
}

Result<CudaToolkit> readCudaToolkit(const CudaPlace &place, const QByteArray &versionText,
                                    const QByteArray &codesText) {
    // «Cuda compilation tools, release 13.0, V13.0.88»
    static const QRegularExpression form(QStringLiteral("\\bV(\\d+\\.\\d+\\.\\d+)"));
    const auto match = form.match(QString::fromUtf8(versionText));
    if (!match.hasMatch()) {
        const QString words = QString::fromUtf8(versionText.trimmed().left(200));
        return Result<CudaToolkit>::error(
            QStringLiteral(
                "Cannot use the CUDA compiler \"%1\" (from %2): it answered --version with \"%3\". "
                "Install the CUDA toolkit again, or set \"cuda\" in the settings file to the folder of "
                "another one.")
                .arg(place.nvcc, place.source, words));
    }
    CudaToolkit toolkit;
    toolkit.root = place.root;
    toolkit.nvcc = place.nvcc;
    toolkit.source = place.source;
    toolkit.version = match.captured(1);
    static const QRegularExpression code(QStringLiteral("^sm_\\d+[af]?$"));
    for (const QString &word :
         QString::fromUtf8(codesText).split(QRegularExpression(QStringLiteral("\\s+")), Qt::SkipEmptyParts))
        if (code.match(word).hasMatch())
            toolkit.architectures << word;
    toolkit.includeFolder = place.root + QStringLiteral("/include");
    for (const char *folder : {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"}) {
        const QString path = place.root + QLatin1Char('/') + QLatin1String(folder);
        if (QFileInfo(path).isDir())
            toolkit.libraryFolders << path;
    }
    const QString bin = QFileInfo(place.nvcc).path();
    toolkit.ptxas = executableIn(bin, QStringLiteral("ptxas"));
    toolkit.cuobjdump = executableIn(bin, QStringLiteral("cuobjdump"));
    toolkit.nvdisasm = executableIn(bin, QStringLiteral("nvdisasm"));
    toolkit.computeSanitizer = executableIn(bin, QStringLiteral("compute-sanitizer"));
    return Result<CudaToolkit>::ok(std::move(toolkit));
}

CudaToolkit withBinaryTools(CudaToolkit toolkit, const PythonEnvironment *python,
                            const std::vector<CudaPlace> &places) {
    struct Place {
        QString folder;
        QString source;
    };
    std::vector<Place> folders;
    if (python != nullptr) {
        const QString wheels = QStringLiteral("the Python environment");
        if (!python->nvidiaRoot.isEmpty())
            folders.push_back({python->nvidiaRoot + QStringLiteral("/bin"), wheels});
        for (const QString &wheel : python->nvidiaFolders)
            folders.push_back({wheel + QStringLiteral("/bin"), wheels});
        // CUDA 12 has a wheel for each of the two, with nothing but bin/ in it.
        const QString packages = QFileInfo(python->torchFolder).path();
        for (const char *wheel : {"cuda_cuobjdump", "cuda_nvdisasm"})
            folders.push_back(
                {QStringLiteral("%1/nvidia/%2/bin").arg(packages, QLatin1String(wheel)), wheels});
        folders.push_back({packages + QStringLiteral("/triton/backends/nvidia/bin"),
                           QStringLiteral("the Python environment's Triton")});
    }
    for (const CudaPlace &place : places)
        folders.push_back({QFileInfo(place.nvcc).path(), place.source});
    const auto find = [&](QString &tool, const char *name) {
        for (const Place &place : folders) {
            if (!tool.isEmpty())
                return;
            tool = executableIn(place.folder, QLatin1String(name));
            if (!tool.isEmpty())
                toolkit.binaryToolsSource = place.source;
        }
    };
    find(toolkit.cuobjdump, "cuobjdump");
    find(toolkit.nvdisasm, "nvdisasm");
    return toolkit;
}

} // namespace warpwright
