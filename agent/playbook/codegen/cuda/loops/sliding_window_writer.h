// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/kernel_writer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/schedule/reduction_schedule.h"
#include "agent/playbook/schedule/sliding_window.h"

#include <map>
#include <set>

namespace warpwright {

/// Writes the text of slidingWindowCudaText(), row by row.
class SlidingWindowWriter : private KernelWriter {
public:
    SlidingWindowWriter(const KernelSource &source, const SlidingWindow &windows);

    QString run();

private:
    [[nodiscard]] bool isAdjacent() const { return m_sliding.adjacent > 1; }
    [[nodiscard]] QString ofWindow() const {
        return isAdjacent() ? QStringLiteral("[k][i]") : QStringLiteral("[k]");
    }
    [[nodiscard]] ReductionCode sumOf(int step) const { return reductionCode(m_kernel, step, false); }
    /// The result of a row, or its one element.
    [[nodiscard]] QString partName(int step) const {
        return m_loops.accumulatorName(step) + QStringLiteral("OfRow");
    }

    // sliding_window.cpp: a thread's rows, and windows below each other
    [[nodiscard]] QString inputText(int input) const;
    [[nodiscard]] QString positionsOfTile();
    QString startOfWindows(const ReductionPass &pass);
    QString elementLines(const ReductionPass &pass);
    QString combinedRow(const ReductionPass &pass);
    void nameResults(const ReductionPass &pass);
    QString resultsOfWindow();
    [[nodiscard]] QString loopOver(std::size_t loop, int indent, const QString &lines) const;
    QString update(int step, const QString &name, const QString &element, int indent);

    // sliding_window_adjacent.cpp: windows beside each other as well, whose columns are vectors
    [[nodiscard]] bool isWide(const AffineExpr &address) const;
    QString adjacentResults();
    QString partLines(const ReductionPass &pass, int indent);
    QString takenPair(int step, const QString &name, const QString &isFirst, const QString &pair, int indent);
    QString elementLinesOfPairs(const ReductionPass &pass);
    QString adjacentElementLines(const ReductionPass &pass);

    SlidingWindow m_sliding;
    std::size_t m_adjacentLoop; ///< the loop over adjacent windows
    ReductionSchedule m_schedule;
    LoopNames m_loops;
    QStringList m_counters;
    ExpressionPrinter m_text;
    std::map<int, QString> m_parts;    ///< by input: its element in these vectors
    std::map<int, QString> m_vecs;     ///< by input: vectors
    std::map<int, QString> m_guards;   ///< conditions of these vectors, by step
    std::set<QString> m_pairFunctions; ///< with an overload for two windows at once
    std::int64_t m_across = 1;         ///< tiles beside each other
    QString m_overAcross;
    int m_rowNames = 0;
};

} // namespace warpwright
