// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/analysis/row_moments.h"
#include "agent/playbook/codegen/cuda/loops/cuda_packs.h"
#include "agent/playbook/codegen/cuda/loops/cuda_scans.h"
#include "agent/playbook/codegen/cuda/loops/online_argmax.h"
#include "agent/playbook/codegen/loop_text.h"
#include "agent/playbook/codegen/ranked_text.h"
#include "agent/playbook/codegen/scalar_text.h"
#include "agent/playbook/schedule/kernel_schedule.h"
#include "agent/playbook/schedule/ragged_rows.h"
#include "agent/playbook/schedule/running_softmax.h"
#include "agent/playbook/schedule/staged_gathers.h"
#include "agent/playbook/schedule/thread_mapping.h"

#include <map>
#include <optional>

namespace warpwright {

extern const QString exponentialOfDistance; ///< the function of that name

/// Writes one kernel of ours as CUDA text, loop by loop: what fusedCudaText() returns.
class CudaEmitter {
public:
    CudaEmitter(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                const KernelNames &names, const KernelTuning &tuning);

    QString run();

private:
    QString cType(ElementType type) const { return cTypeName(type, true); }

    // cuda_elements.cpp: what one thread does with an element or a pack, and what threads make of that
    QString leafText(int leaf) const;
    QString elementOf(int buffer, const AffineIndex &address) const;
    QString elementIndex(const AffineIndex &address) const;
    void emitElements(const KernelPass &pass, bool isFirst);
    void emitLoadsOfAll(const KernelPass &pass, const QString &count);
    void emitRises(const KernelPass &pass, const QString &count, const QStringList &guard);
    [[nodiscard]] bool risesAtOnce(const KernelPass &pass) const;
    void scatter(const QString &value);
    void combine(int step);
    void meetOnce(const std::vector<int> &sums);
    void meet(int step, const QString &name, const SumText &sum);
    [[nodiscard]] SumText sumOf(int step) const;
    [[nodiscard]] static bool isIn(const std::vector<int> &steps, int step);

    template <typename Text>
    QString inPack(const QString &place, const Text &text) {
        const QString before = std::exchange(m_inPack, place);
        const QString made = text();
        m_inPack = before;
        return made;
    }

    // cuda_emitter.cpp: the loops around them
    void line(const QString &text);
    void lines(const QStringList &texts);
    QString kernelText();
    void flatBody();
    QString storeOfRow(int place);
    void closeLoop();
    void closeBracket();
    void rowBody();
    [[nodiscard]] bool isMoment(int step) const;
    void declarePartials(int step);
    void takeMeanOfPart();
    void nameRowSteps(std::size_t p);
    void emitPass(std::size_t p);
    void emitSearch(const KernelPass &search);
    void emitLoop(const KernelPass &pass, bool isFirst);
    bool emitLoadsAhead(const KernelPass &pass);
    [[nodiscard]] bool movesKept(const KernelPass &pass) const;
    void beginCluster();

    const ReferenceGraph &m_graph;
    const KernelPlan &m_plan;
    const KernelNames &m_names;
    KernelTuning m_tuning;
    const FusedKernel &m_planned;
    CudaSharing m_sharing;
    std::vector<RunningSoftmax> m_running; ///< that its loops form in one
    FusedKernel m_kernel;
    CudaMode m_mode;
    int m_width;
    bool m_hasGroups; ///< its elements are loaded by groups
    std::optional<StagedGather> m_staged;
    std::optional<RaggedRows> m_ragged;
    std::optional<RowMoments> m_moments; ///< that the blocks of a cluster form together
    std::set<int> m_asRead;              ///< Load steps whose packs stay as they come
    KernelSchedule m_schedule;
    LoopText m_loops;
    RunningPlaces m_places;
    ScalarText m_text;
    QString m_body;
    int m_indent = 0;
    int m_rowNames = 0;
    std::optional<RankedText> m_search; ///< at work
    QString m_inPack;                   ///< "k" in the loop over a pack
    bool m_hasBegun = false;            ///< the cluster's blocks are known to be there
    bool m_meets = false;               ///< threads form what runs along the row together
    std::map<int, QString> m_kept;
    std::map<int, QString> m_loaded; ///< by leaf: arrays of what a thread has loaded of several elements
    CudaPacks m_packs;               // of the elements at work
    CudaScans m_scans;               // of the loop at work
};

} // namespace warpwright
