// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/workbench/iteration_tree.h"

#include "profiler_views/verdict_look.h"
#include "toolchain/base/figures.h"
#include "toolchain/evaluation/measured_figures.h"
#include "toolchain/history/best_iteration.h"
#include "toolchain/history/iteration_words.h"

#include <QCoreApplication>

namespace warpwright {
namespace {

// What was kept of a parent is said here; the row has room for «Not exercised» alone.
QString statusOf(const IterationRecord &record) {
    const QString headline = headlineOf(record);
    if (!record.latest || !record.latest->unexercised)
        return headline;
    const Unexercised &unexercised = *record.latest->unexercised;
    const QString what = notRunSentence(unexercised.files);
    return unexercised.isKept
               ? QCoreApplication::translate("IterationModel", "%1 (%2), %3 kept from iteration %4")
                     .arg(headline, what, lookOf(record.latest->verdict).word,
                          QString::number(unexercised.iteration))
               : QCoreApplication::translate("IterationModel", "%1 (%2)").arg(headline, what);
}

QString wordsOf(const IterationRecord &record) {
    return QCoreApplication::translate("IterationModel", "%1, %2, %3, by %4")
        .arg(QString::number(record.iteration.number), statusOf(record), noteOf(record),
             authorText(record.iteration.author));
}

} // namespace

std::vector<IterationTree::Lane> lanesOf(const std::vector<int> &parentRows) {
    const int count = static_cast<int>(parentRows.size());
    std::vector<int> lastChild(parentRows.size(), -1);
    for (int row = 0; row < count; ++row)
        if (parentRows[static_cast<std::size_t>(row)] >= 0)
            lastChild[static_cast<std::size_t>(parentRows[static_cast<std::size_t>(row)])] = row;
    std::vector<IterationTree::Lane> lanes(parentRows.size());
    std::vector<int> endOfLane; // the row at which a lane becomes free again
    for (int row = 0; row < count; ++row) {
        auto &lane = lanes[static_cast<std::size_t>(row)];
        const int parent = parentRows[static_cast<std::size_t>(row)];
        lane.hasParent = parent >= 0;
        const bool continues = lane.hasParent && lastChild[static_cast<std::size_t>(parent)] == row;
        if (lane.hasParent)
            lane.parentLane = lanes[static_cast<std::size_t>(parent)].own;
        if (continues) {
            lane.own = lane.parentLane;
        } else {
            std::size_t free = 0;
            while (free < endOfLane.size() && endOfLane[free] >= row)
                ++free;
            if (free == endOfLane.size())
                endOfLane.push_back(-1);
            lane.own = static_cast<int>(free);
        }
        auto &end = endOfLane[static_cast<std::size_t>(lane.own)];
        const int last = lastChild[static_cast<std::size_t>(row)];
        end = std::max({end, row, last});
        lane.hasChildBelow = last > row;
    }
    // A lane passes a row between a parent and its last child.
    for (int row = 0; row < count; ++row) {
        const int last = lastChild[static_cast<std::size_t>(row)];
        const int own = lanes[static_cast<std::size_t>(row)].own;
        for (int between = row + 1; between < last; ++between)
            if (lanes[static_cast<std::size_t>(between)].own != own)
                lanes[static_cast<std::size_t>(between)].passing.push_back(own);
    }
    return lanes;
}

QString headlineOf(const IterationRecord &record) {
    // It was never the workspace's text, and nobody has said what becomes of it.
    if (!record.latest && record.problem.isEmpty() && record.mark == IterationMark::NotDecided)
        return QCoreApplication::translate("IterationModel", "Only proposed, not checked");
    if (!record.latest)
        return record.problem.isEmpty() ? notCheckedLook().word
                                        : QCoreApplication::translate("IterationModel", "Unreadable");
    const EvaluationSummary &summary = *record.latest;
    // Over the one baseline that all checks measure, as in the list of recent workspaces.
    if (summary.verdict == Verdict::Pass && !summary.unexercised)
        if (const std::optional<SpeedUp> &speedUp = listedSpeedUp(summary); speedUp)
            return QCoreApplication::translate("IterationModel", "%1 over %2")
                .arg(factorText(speedUp->value, speedUp->low, speedUp->high).value,
                     summary.eager ? QStringLiteral("eager") : armLabel(speedUp->arm));
    return lookOf(summary.verdict, summary.unexercised).word;
}

const IterationRecord *IterationTree::byNumber(int number) const {
    const auto row = rows.constFind(number);
    return row == rows.cend() ? nullptr : &records[static_cast<std::size_t>(*row)];
}

SharedTree makeIterationTree(std::vector<IterationRecord> records) {
    auto tree = std::make_shared<IterationTree>();
    tree->records = std::move(records);
    tree->words.reserve(tree->records.size());
    tree->best = bestIteration(tree->records);
    for (const IterationRecord &record : tree->records) {
        tree->rows.insert(record.iteration.number, static_cast<int>(tree->words.size()));
        tree->words.push_back(wordsOf(record));
    }
    tree->parents.reserve(tree->records.size());
    for (const IterationRecord &record : tree->records)
        tree->parents.push_back(tree->rows.value(record.iteration.parent, -1));
    tree->lanes = lanesOf(tree->parents);
    return tree;
}

} // namespace warpwright
