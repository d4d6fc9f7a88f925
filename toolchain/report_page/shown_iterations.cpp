// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report_page/shown_iterations.h"

#include "toolchain/base/figures.h"
#include "toolchain/history/best_iteration.h"

#include <algorithm>
#include <set>

namespace warpwright {
namespace {

/// Every nth of `places` into `shown`, so that at most `room` come; n.
std::size_t addEveryNth(std::set<std::size_t> &shown, const std::vector<std::size_t> &places,
                        std::size_t room) {
    if (places.empty() || room == 0)
        return 0;
    const std::size_t step = (places.size() + room - 1) / room;
    for (std::size_t i = 0; i < places.size(); i += step)
        shown.insert(places[i]);
    return step;
}

QString every(std::size_t step) {
    return step == 1 ? QStringLiteral("all") : QStringLiteral("one in %1").arg(step);
}

} // namespace

ShownIterations shownIterations(const std::vector<IterationRecord> &records, int own, std::size_t most) {
    ShownIterations result;
    std::vector<std::size_t> bests;
    BestIteration best;
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (competes(records[i]))
            best.take(static_cast<int>(i), *records[i].latest);
        else if (records[i].latest)
            best.takeBeside(*records[i].latest);
        result.bestUpTo.push_back(best.place());
        if (best.place() == static_cast<int>(i))
            bests.push_back(i);
    }
    if (records.size() <= most) {
        for (std::size_t i = 0; i < records.size(); ++i)
            result.places.push_back(i);
        return result;
    }
    std::set<std::size_t> shown{0, records.size() - 1};
    for (std::size_t i = 0; i < records.size(); ++i)
        if (records[i].iteration.number == own)
            shown.insert(i);
    if (best.place() >= 0)
        shown.insert(static_cast<std::size_t>(best.place()));
    const std::size_t ofBests = addEveryNth(shown, bests, most / 2);
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < records.size(); ++i)
        if (shown.count(i) == 0 && !std::binary_search(bests.begin(), bests.end(), i))
            others.push_back(i);
    const std::size_t ofOthers = addEveryNth(shown, others, most > shown.size() ? most - shown.size() : 0);
    result.places.assign(shown.begin(), shown.end());
    result.remark =
        QStringLiteral("%1 of %2 iterations are shown: the first, the last, this page's own, the best, ")
            .arg(numberText(static_cast<double>(shown.size())),
                 numberText(static_cast<double>(records.size())));
    if (ofBests > 0)
        result.remark +=
            QStringLiteral("%1 of those that were the best when they were made, ").arg(every(ofBests));
    result.remark += ofOthers > 0 ? QStringLiteral("and %1 of the others.").arg(every(ofOthers))
                                  : QStringLiteral("and none of the others.");
    return result;
}

bool isDoubtful(const IterationRecord &record) {
    return record.latest && record.latest->verdict == Verdict::Inconclusive;
}

const ArmTiming *timeOf(const IterationRecord &record) {
    const bool isMeasured = record.latest && (paceOf(*record.latest) || isDoubtful(record));
    return isMeasured && record.latest->candidate ? &*record.latest->candidate : nullptr;
}

const ArmTiming *guideOf(const std::vector<IterationRecord> &records, const ShownIterations &shown) {
    if (shown.best() >= 0)
        return timeOf(records[static_cast<std::size_t>(shown.best())]);
    const ArmTiming *least = nullptr;
    for (const std::size_t place : shown.places)
        if (const ArmTiming *time = timeOf(records[place]);
            time != nullptr && (least == nullptr || time->medianMicroseconds < least->medianMicroseconds))
            least = time;
    return least;
}

} // namespace warpwright
