// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/data_folders.h"
#include "toolchain/base/settings.h"
#include "toolchain/environment/toolchain_probe.h"
#include "toolchain/inspect/disassembly.h"
#include "toolchain/inspect/inspection.h"
#include "toolchain/progress/stage_progress.h"
#include "toolchain/workspace/workspace.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>

namespace warpwright {

struct InspectionRequest {
    QString path; ///< of a workspace
    QString python;
    QString architecture; ///< empty: as a check would choose it
    Settings settings;
    DataFolders folders;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    std::optional<Toolchain> toolchain; ///< when it is known already
    bool wantsSass = true;
    bool needsSass = false; ///< without its tools: false: go on and say so in a note, true: fail
    bool wantsPtx = false;
    int iteration = 0; ///< of the workspace's history; 0: the text on disk
    int threads = 0;   ///< of a block, for the occupancy; 0: the usual sizes
};

/// Compiles the kernels of a workspace where the cache has no object of them, and reads what came out. It
/// needs no device. A text that does not compile is finished(); failed() is for what the text cannot help. A
/// cancel is finished() with CompileStatus::Cancelled. Reads and parses in its own thread: not for a
/// window's.
class InspectionRun : public QObject {
    Q_OBJECT
public:
    explicit InspectionRun(InspectionRequest request, QObject *parent = nullptr);

    void start();
    void cancel();

signals:
    void progress(const warpwright::StageProgress &progress);
    void finished(const warpwright::Inspection &inspection);
    void failed(const QString &message);

private:
    void open();
    void toolsFound(const Toolchain &toolchain);
    void compile(const CompilePlan &plan);
    void compileDone(const CompileOutcome &outcome);
    void disassemble();
    void collect(const std::vector<std::vector<KernelCode>> &sass);
    void show(const QString &stage, const QString &step, int index = 0, int count = 0);
    void fail(const QString &message);
    void end();

    InspectionRequest m_request;
    Workspace m_workspace;
    Toolchain m_toolchain;
    CompilePlan m_plan;
    Inspection m_inspection;
    QElapsedTimer m_clock;
    QPointer<ToolchainProbe> m_probe;
    QPointer<CompileRun> m_compile;
    QPointer<Disassembly> m_disassembly;
    bool m_isDone = false;
};

} // namespace warpwright
