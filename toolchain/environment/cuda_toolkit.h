// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <vector>

namespace warpwright {

/// A CUDA compiler and what lies beside it.
struct CudaToolkit {
    QString root;    ///< folder with bin/ and include/
    QString nvcc;    ///< absolute
    QString source;  ///< why this one: "the settings file", "CUDA_HOME", "PATH", "/usr/local/cuda", "the
                     ///< Python environment"
    QString version; ///< "13.0.88"
    QStringList architectures; ///< what it compiles for: sm_75 … sm_90a …; empty when it did not say
    QString includeFolder;
    QStringList libraryFolders; ///< those that exist
    QString ptxas;              ///< empty where missing, like the next three
    QString cuobjdump;
    QString nvdisasm;
    QString computeSanitizer;
    /// Where cuobjdump and nvdisasm come from, when it is not from beside nvcc: "the Python environment".
    QString binaryToolsSource = {};

    [[nodiscard]] int majorVersion() const { return version.section(QLatin1Char('.'), 0, 0).toInt(); }
    bool operator==(const CudaToolkit &) const = default;
};

/// A place where an nvcc lies, before it has been asked anything.
struct CudaPlace {
    QString root;
    QString nvcc;
    QString source;

    bool operator==(const CudaPlace &) const = default;
};

/// Every nvcc of this machine, the first to be used: settings, CUDA_HOME, CUDA_PATH, PATH, /usr/local/cuda,
/// the wheels of `nvidiaRoot`. A folder named in the settings that holds no nvcc is still listed, so that it
/// fails with its name instead of being passed over.
[[nodiscard]] std::vector<CudaPlace> findCudaPlaces(const QString &fromSettings,
                                                    const QProcessEnvironment &environment,
                                                    const QString &nvidiaRoot);

/// The text of `nvcc --version` and `nvcc --list-gpu-code` as a toolkit.
[[nodiscard]] Result<CudaToolkit> readCudaToolkit(const CudaPlace &place, const QByteArray &versionText,
                                                  const QByteArray &codesText);

struct PythonEnvironment;

/// cuobjdump and nvdisasm from elsewhere, where the toolkit has none: from the CUDA wheels of `python`, from
/// the Triton that came with its torch, from another toolkit of `places`. They read objects of any nvcc that
/// is not newer than they are.
[[nodiscard]] CudaToolkit withBinaryTools(CudaToolkit toolkit, const PythonEnvironment *python,
                                          const std::vector<CudaPlace> &places);

} // namespace warpwright
