// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/counters/nsight_compute.h"

#include <QCollator>
#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace warpwright {
namespace {

bool isProgram(const QString &path) {
    const QFileInfo info(path);
    return info.isFile() && info.isExecutable();
}

QString moduleBelow(const QString &root) {
    const QString folder = root + QStringLiteral("/extras/python");
    return QFileInfo::exists(folder + QStringLiteral("/ncu_report.py")) ? folder : QString();
}

NsightCompute installationAt(const QString &program, const QString &source) {
    NsightCompute found{QFileInfo(program).absoluteFilePath(), {}, source, {}};
    // The program itself lies in target/linux-…/ of an installation; a start script, at its top.
    QDir folder(QFileInfo(QFileInfo(program).canonicalFilePath()).path());
    for (int level = 0; level < 3 && found.root.isEmpty(); ++level) {
        if (folder.exists(QStringLiteral("sections")) || folder.exists(QStringLiteral("extras/python")))
            found.root = folder.path();
        else if (!folder.cdUp())
            break;
    }
    if (found.root.isEmpty())
        found.root = QFileInfo(QFileInfo(program).canonicalFilePath()).path();
    found.pythonModule = moduleBelow(found.root);
    return found;
}

/// The newest installation whose folder is named by its version.
std::optional<NsightCompute> newestIn(const QString &folder, const QString &filter, const QString &source) {
    QStringList names = QDir(folder).entryList({filter}, QDir::Dirs | QDir::NoDotAndDotDot);
    QCollator byNumber;
    byNumber.setNumericMode(true);
    std::sort(names.begin(), names.end(), [&byNumber](const QString &one, const QString &other) {
        return byNumber.compare(one, other) > 0;
    });
    for (const QString &name : std::as_const(names)) {
        const QString program = QStringLiteral("%1/%2/ncu").arg(folder, name);
        if (isProgram(program))
            return installationAt(program, source);
    }
    return {};
}

} // namespace

std::optional<NsightCompute> findNsightCompute(const CudaToolkit *cuda,
                                               const QProcessEnvironment &environment,
                                               const QString &systemFolder) {
    const QString named = environment.value(QStringLiteral("WARPWRIGHT_NCU"));
    if (!named.isEmpty())
        return isProgram(named) ? std::optional(installationAt(named, QStringLiteral("WARPWRIGHT_NCU")))
                                : std::nullopt;
    QStringList found;
    if (cuda != nullptr)
        found << cuda->root + QStringLiteral("/bin/ncu");
    for (const QString &folder :
         environment.value(QStringLiteral("PATH")).split(QLatin1Char(':'), Qt::SkipEmptyParts))
        found << folder + QStringLiteral("/ncu");
    // Toolkits up to 12 carry it as nsight-compute-2024.1.0/ in their own folder.
    if (cuda != nullptr)
        if (auto inside =
                newestIn(cuda->root, QStringLiteral("nsight-compute-*"), QStringLiteral("beside nvcc")))
            return inside;
    if (auto system = newestIn(systemFolder, QStringLiteral("2*"), systemFolder))
        return system;
    for (const QString &program : std::as_const(found))
        if (isProgram(program))
            return installationAt(program, cuda != nullptr && program.startsWith(cuda->root)
                                               ? QStringLiteral("beside nvcc")
                                               : QStringLiteral("PATH"));
    return {};
}

QString adviceForNsightCompute() {
    return QStringLiteral(
        "Install Nsight Compute of the CUDA toolkit (the package nsight-compute-2025.3.1 or "
        "cuda-nsight-compute-13-0), or set WARPWRIGHT_NCU to its ncu.");
}

} // namespace warpwright
