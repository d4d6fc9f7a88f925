// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/data_folders.h"
#include "toolchain/base/json.h"
#include "toolchain/base/result.h"
#include "toolchain/base/settings.h"

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace warpwright {

/// A Python interpreter and the torch it would import: all that compiling against them needs.
struct PythonEnvironment {
    QString interpreter; ///< as chosen: a virtual environment's link is not resolved, for that would leave it
    QString version;     ///< "3.11.2"
    QString includeFolder;   ///< holds Python.h
    QString extensionSuffix; ///< ".cpython-311-x86_64-linux-gnu.so"
    QString torchVersion;    ///< "2.11.0+cu130"
    QString torchFolder;     ///< …/site-packages/torch
    QString torchCuda;       ///< "13.0"; empty: built without CUDA
    bool usesCxx11Abi = true;
    QStringList torchLibraries; ///< file names in torch/lib that we link: libtorch_cpu.so …
    QString nvidiaRoot; ///< …/site-packages/nvidia/cu13 with include/ and lib/; empty: no CUDA wheels
    QString cudnnRoot;  ///< …/site-packages/nvidia/cudnn; empty: none
    QStringList nvidiaFolders; ///< all of …/site-packages/nvidia/* with include/ or lib/: CUDA 12's wheels
                               ///< have one each
    bool hasTriton = false;

    [[nodiscard]] bool hasTorchCuda() const { return !torchCuda.isEmpty(); }
    [[nodiscard]] QStringList torchIncludeFolders() const;
    [[nodiscard]] QString torchLibraryFolder() const { return torchFolder + QStringLiteral("/lib"); }

    bool operator==(const PythonEnvironment &) const = default;
};

/// The oldest torch whose libraries and headers we build against.
inline constexpr int oldestTorchMajor = 2;
inline constexpr int oldestTorchMinor = 6;

/// Which interpreter to ask, and why that one: for doctor and for messages.
struct PythonChoice {
    QString interpreter;
    QString source; ///< "--python", "the settings file", "WARPWRIGHT_ENV", "the environment of Warpwright"

    bool operator==(const PythonChoice &) const = default;
};

/// The first that is set of: `fromCommandLine` (--python), settings, the environment's folder of `folders`;
/// then python3 of PATH. A name without a slash is looked up in PATH. Whether it works is the probe's
/// business.
[[nodiscard]] Result<PythonChoice>
choosePython(const QString &fromCommandLine, const Settings &settings, const DataFolders &folders,
             const QProcessEnvironment &environment = QProcessEnvironment::systemEnvironment());

/// The answer of resources/probe_python.py (one JSON object) as a value, with a message for each thing that
/// is missing: torch, a torch that is new enough, its libraries, Python's headers.
[[nodiscard]] Result<PythonEnvironment> readPythonFacts(const QByteArray &json, const PythonChoice &choice);

/// The files and folders that this answer rests on; empty: it does not say, so it may be another one the next
/// time.
[[nodiscard]] QStringList pythonFilesToWatch(const QByteArray &json);

/// Why this torch cannot drive a CUDA device; empty when it can.
[[nodiscard]] QString whyNoTorchCuda(const PythonEnvironment &python);

} // namespace warpwright
