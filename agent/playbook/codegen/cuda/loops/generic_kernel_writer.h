// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/analysis/moment_pattern.h"
#include "agent/playbook/codegen/cuda/loops/block_scan.h"
#include "agent/playbook/codegen/cuda/loops/online_argmax.h"
#include "agent/playbook/codegen/cuda/loops/vector_access.h"
#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/kernel_source.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/radix_select.h"
#include "agent/playbook/schedule/online_softmax.h"
#include "agent/playbook/schedule/reduction_schedule.h"
#include "agent/playbook/schedule/shared_memory_gather.h"
#include "agent/playbook/schedule/thread_mapping.h"
#include "agent/playbook/schedule/unaligned_rows.h"

#include <map>
#include <optional>

namespace warpwright {

extern const QString expBelowMax; ///< name of the device function

/// Writes the text of genericKernelCudaText(), loop by loop.
class GenericKernelWriter {
public:
    explicit GenericKernelWriter(const KernelSource &source);

    QString run();

private:
    QString cType(ElementType type) const { return cTypeName(type, true); }

    // generic_elements.cpp: what one thread does per element or vector, and reductions across threads
    QString inputText(int input) const;
    QString elementOf(int buffer, const AffineExpr &address) const;
    QString elementIndex(const AffineExpr &address) const;
    void emitElements(const ReductionPass &pass, bool isFirst);
    void emitLoadsOfAll(const ReductionPass &pass, const QString &count);
    void emitRescaling(const ReductionPass &pass, const QString &count, const QStringList &guard);
    [[nodiscard]] bool batchesRescaling(const ReductionPass &pass) const;
    void scatter(const QString &value);
    void combine(int step);
    void reduceOnce(const std::vector<int> &sums);
    void reduceAcrossThreads(int step, const QString &name, const ReductionCode &sum);
    [[nodiscard]] ReductionCode sumOf(int step) const;
    [[nodiscard]] static bool isIn(const std::vector<int> &steps, int step);

    template <typename Text>
    QString inVector(const QString &position, const Text &text) {
        const QString before = std::exchange(m_inVector, position);
        const QString made = text();
        m_inVector = before;
        return made;
    }

    // generic_kernel.cpp: the loops around them
    void line(const QString &text);
    void lines(const QStringList &texts);
    QString kernelText();
    void flatBody();
    QString storeOfRow(int position);
    void closeLoop();
    void closeBracket();
    void rowBody();
    [[nodiscard]] bool isMoment(int step) const;
    void declarePartials(int step);
    void useMeanOfPart();
    void nameRowSteps(std::size_t p);
    void emitPass(std::size_t p);
    void emitSearch(const ReductionPass &search);
    void emitLoop(const ReductionPass &pass, bool isFirst);
    bool emitLoadsAhead(const ReductionPass &pass);
    [[nodiscard]] bool movesCached(const ReductionPass &pass) const;
    void beginCluster();

    const KernelSource m_source; ///< its kernel as planned; m_kernel: as written
    ThreadMapping m_mapping;
    std::vector<OnlineSoftmax> m_onlineSoftmaxes; ///< maximum and sums in one pass
    Kernel m_kernel;
    MappingMode m_mode;
    int m_width;
    bool m_hasStructs; ///< its elements are loaded as structs
    std::optional<SharedMemoryGather> m_sharedMemoryGather;
    std::optional<UnalignedRows> m_unaligned;
    std::optional<RowMoments> m_moments; ///< that the blocks of a cluster compute together
    std::set<int> m_cachedAsLoaded;      ///< Load steps whose vectors are cached as loaded
    ReductionSchedule m_schedule;
    LoopNames m_loops;
    OnlineArgmax m_argmax;
    ExpressionPrinter m_text;
    QString m_body;
    int m_indent = 0;
    int m_rowNames = 0;
    std::optional<RadixSelect> m_search; ///< the current one
    QString m_inVector;                  ///< "k" in the loop over a vector
    bool m_hasClusterStarted = false;    ///< the wait for the cluster's blocks is emitted
    bool m_hasBlockScan = false;         ///< the current loop has scans by the block
    std::map<int, QString> m_cached;
    std::map<int, QString> m_loaded; ///< by input: arrays of several elements that a thread has loaded
    VectorAccess m_vecs;             // of the current elements
    BlockScan m_scans;               // of the current loop
};

} // namespace warpwright
