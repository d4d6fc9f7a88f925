// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/compile/compile_target.h"
#include "toolchain/compile/header_store.h"
#include "toolchain/environment/toolchain_probe.h"
#include "toolchain/workspace/exercised_files.h"
#include "toolchain/workspace/workspace.h"

#include <QByteArrayList>
#include <QString>
#include <QStringList>

#include <vector>

namespace warpwright {

/// One source to one object. Run in the workspace, with `-o OBJECT` added, so that names in messages are
/// relative.
struct CompileStep {
    QString source; ///< relative to the workspace
    QString tool;   ///< absolute path of nvcc or g++
    QStringList arguments;
    QString objectKey;   ///< hash of all that the object depends on
    QString linesKey;    ///< the same with the places of lines, for an object whose compiler had something to
                         ///< say of them; empty: objectKey has them
    QString ptxKey;      ///< under which the PTX is kept that nvcc makes on its way; empty: there is none
    QString moduleKey;   ///< under which what is guessed of nvcc's passes over this source is kept, whatever
                         ///< its text (keepGuesses()); empty: nothing
    QByteArray textHash; ///< of the source and what it includes, to see that they have not changed meanwhile
    HeaderRequest headers; ///< what it opens with, to be had precompiled; empty: nothing
    bool countsAllHeaders = false;
    bool isLinked = true;

    bool operator==(const CompileStep &) const = default;
};

/// An empty library that is linked in place of large ones. GNU ld reads every name of torch's libraries, 0.3
/// s, to say of a few that they are there; the dynamic linker looks them up in no time.
struct StandInLibrary {
    QString name;          ///< the library it is taken for, which needs the others; empty: none
    QString key;           ///< under which it is kept, as an object
    QStringList libraries; ///< absolute paths: where names are looked up that the linker misses

    bool operator==(const StandInLibrary &) const = default;
};

/// All that has to be run to get from a workspace to a folder that a worker can import `model_new` from.
struct CompilePlan {
    QString workspace; ///< absolute
    CompileTarget target;
    std::vector<CompileStep> steps;
    QString linker;              ///< g++; empty: nothing to link, the candidate is Python alone
    QStringList linkArguments;   ///< without objects and -o; the objects go before them
    StandInLibrary standIn;      ///< between the objects and the arguments
    QStringList pythonFiles;     ///< names of root *.py that go into the run folder: model_new.py and its
                                 ///< neighbours, never model.py
    QByteArrayList pythonHashes; ///< one for each of them
    QString key;                 ///< hash of the steps, the link and the Python files
    QString buildFolder;         ///< <state>/build/<key>
    ExercisedFiles files;        ///< the sources, and the workspace's headers that they include
    QStringList skipped;         ///< sentences on what is left out and why: a .cu without nvcc
    QString notRunnable; ///< why the result cannot run on the target; empty: it can. Set for a Cpu target
                         ///< whose .cu files have no twin: it is then compiled as for CUDA, to tell what
                         ///< there is to tell
    bool countsComments = false; ///< in the hashes of texts; the flags may make them matter
    bool hasUserFlags =
        false; ///< flags of task.json are in it: a refused option is then the workspace's fault

    [[nodiscard]] QString runFolder() const { return buildFolder + QStringLiteral("/run"); }

    bool operator==(const CompilePlan &) const = default;
};

/// Reads every source and workspace header once (for the keys) and starts nothing.
/// Errors: a part of the toolchain that this target needs is missing (its own sentence), or a source cannot
/// be read.
[[nodiscard]] Result<CompilePlan> makeCompilePlan(const Workspace &workspace, const Toolchain &toolchain,
                                                  const CompileTarget &target);

/// The precompiled headers that most bindings with torch's headers open with; empty: this compiler makes
/// none.
[[nodiscard]] QList<HeaderRequest> usualHeaders(const Toolchain &toolchain, TargetKind kind);

/// The architecture to compile for: task.json's, else the device's, else the settings', else sm_90a.
[[nodiscard]] QString chooseArchitecture(const Workspace &workspace, const Settings &settings,
                                         const GpuDevice *device);

} // namespace warpwright
