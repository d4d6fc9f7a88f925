// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/data_folders.h"
#include "toolchain/base/result.h"
#include "toolchain/base/task_settings.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace warpwright {

enum class SourceKind {
    Cuda, ///< *.cu
    Twin, ///< X.cpp beside X.cu: the same launchers for the CPU
    Cpp,  ///< any other *.cpp, above all the bindings
};

struct SourceFile {
    QString name; ///< relative to the workspace, "kernels/softmax.cu"
    SourceKind kind = SourceKind::Cpp;

    bool operator==(const SourceFile &) const = default;
};

/// A folder with a reference and perhaps a candidate, in CUDA-Agent's layout; or a lone file with a
/// reference.
struct Workspace {
    QString folder;       ///< absolute; for a lone file the folder that holds it
    QString name;         ///< of the folder, or of the lone file without .py
    QString modelFile;    ///< absolute path of the reference
    QString modelNewFile; ///< absolute path of the candidate; empty: there is none yet
    QString state;        ///< where evaluations and builds go; not yet made
    std::vector<SourceFile>
        sources; ///< *.cu and *.cpp of the root and of kernels/, sorted; none for a lone file
    bool isLoneFile = false;
    bool hasUtils = false; ///< CUDA-Agent's utils/compile.py is there, so its flags are used
    TaskSettings task;

    /// `path`: a folder with model.py; or a .py file with Model, get_inputs and get_init_inputs. Reads names,
    /// task.json and (for a lone file) its text; changes nothing. A model.py inside a workspace opens that
    /// workspace.
    static Result<Workspace> open(const QString &path, const DataFolders &folders);

    [[nodiscard]] QString pathOf(const SourceFile &source) const {
        return folder + QLatin1Char('/') + source.name;
    }
    [[nodiscard]] bool hasCudaSources() const;
    /// Why nobody can propose changes of its candidate, for people; empty: it has one, apart from the
    /// reference.
    [[nodiscard]] QString whyNotTuned() const;
    /// .cu files that no twin stands in for: on the CPU their launchers are missing.
    [[nodiscard]] QStringList cudaSourcesWithoutTwin() const;

    bool operator==(const Workspace &) const = default;
};

/// The folder for a workspace's state: <folder>/.warpwright, or one below `data` where that cannot be
/// written.
[[nodiscard]] QString stateFolderFor(const QString &folder, const QString &loneFile, const QString &data);

/// Whether this path is the candidate's own (model_new.py, kernels/*), which people and agents edit, and not
/// the task's.
[[nodiscard]] bool isCandidatePath(const QString &path);

/// Which of Model, get_inputs and get_init_inputs this Python text does not define. The text is read, not
/// run: whether it works is the judge's to find out.
[[nodiscard]] QStringList missingTaskNames(const QByteArray &text);

} // namespace warpwright
