// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/bench/peer_loop.h"
#include "toolchain/check/evaluation_run.h"

#include <QObject>
#include <QTemporaryDir>

#include <functional>
#include <vector>

namespace warpwright {

/// What a person asks of the loop.
struct LoopRequest {
    QString path;   ///< a workspace whose candidate passes
    QString device; ///< as EvaluationRequest
    QString python;
    int warmTurns = 5;
    int bindingTurns = 3;
    int peerTurns = 2;
    QString judgeProgram;
    QString programVersion;
    Settings settings;
    DataFolders folders;
};

/// From an edit to a verdict, once.
struct LoopTurn {
    enum class Kind {
        Cold,          ///< a new workspace; of the environment's caches only what no workspace made
        Warm,          ///< one kernel edited
        Binding,       ///< binding.cpp edited
        KernelBinding, ///< kernels/NAME_binding.cpp edited, where there is one
        Peer,          ///< CUDA-Agent's three steps
    };
    Kind kind = Kind::Warm;
    double seconds = 0;
    PhaseSeconds phases;
    QString edited;                    ///< the file; empty: none
    Verdict verdict = Verdict::NotRun; ///< ours: pass or inconclusive
};
inline constexpr LoopTurn::Kind loopTurnKinds[] = {LoopTurn::Kind::Cold, LoopTurn::Kind::Warm,
                                                   LoopTurn::Kind::Binding, LoopTurn::Kind::KernelBinding,
                                                   LoopTurn::Kind::Peer};
[[nodiscard]] QString nameOf(LoopTurn::Kind kind);

/// How long our loop takes from an edit to a verdict of the quick tier, and CUDA-Agent's three steps beside
/// it, in one run, on copies of the workspace.
///
/// Ends in finished() or failed(). cancel() works at any time and ends in finished() with what there is.
class LoopTrial : public QObject {
    Q_OBJECT
public:
    explicit LoopTrial(LoopRequest request, QObject *parent = nullptr);
    ~LoopTrial() override;

    void start();
    void cancel();

    [[nodiscard]] const std::vector<LoopTurn> &turns() const { return m_turns; }
    [[nodiscard]] const QString &whyNoPeer() const { return m_whyNoPeer; } ///< empty: its turns are there
    /// Median seconds of the turns of a kind; empty: there is none.
    [[nodiscard]] std::optional<double> median(LoopTurn::Kind kind) const;
    /// schema warpwright.loop/1. `ratio`: our median over the peer's.
    [[nodiscard]] OrderedJson document(const QString &programVersion) const;

signals:
    void progress(const warpwright::StageProgress &progress);
    void finished();
    void failed(const QString &message);

private:
    void next();
    [[nodiscard]] Result<void> prepareCold();
    [[nodiscard]] Result<QString> edit(LoopTurn::Kind kind);
    void makeReady();
    [[nodiscard]] EvaluationRequest requestFor(const QString &workspace) const;
    void startRun(EvaluationRequest request, std::function<void(const Evaluation &)> done);
    [[nodiscard]] QString notPassed(const Evaluation &evaluation) const;
    void check(const LoopTurn &turn);
    void checked(LoopTurn turn, const Evaluation &evaluation);
    void runPeer();
    void show(const QString &step);
    void end(const QString &failure = {});

    LoopRequest m_request;
    std::vector<LoopTurn::Kind> m_plan;
    std::vector<LoopTurn> m_turns;
    QTemporaryDir m_folder;
    QString m_workspace; ///< the copy that is edited
    JudgeKeeper *m_keeper;
    EvaluationRun *m_run = nullptr;
    PeerLoop *m_peer = nullptr;
    OrderedJson m_device;
    OrderedJson m_environment;
    QString m_whyNoPeer;
    int m_edits = 0;
    std::size_t m_step = 0;
    bool m_isReady = false;
    bool m_isEnding = false;
};

} // namespace warpwright
