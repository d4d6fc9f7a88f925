// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/json.h"
#include "toolchain/findings/detectors.h"

#include <algorithm>
#include <set>

namespace warpwright {
namespace {

/// Of the kernel's samples that must wait for such loads: less is within what a wider load costs elsewhere.
constexpr double leastShare = 0.10;
/// Of 32-bit loads: two may be a complex number's halves or an edge; four fill one 128-bit load.
constexpr int leastBytesOfRun = 16;
/// Shorter ones are seldom alone: where a thread takes the three bytes of a pixel, it can take sixteen
/// pixels.
constexpr int wordBytes = 4;

bool isLongEnough(const AdjacentLoads &run) {
    return run.count() * run.bytes >= leastBytesOfRun || run.bytes < wordBytes;
}

/// Whether rows of the task's inputs allow loads of so many elements: an odd row length breaks alignment from
/// the second row on. `ofThread`: so many lie side by side in one thread. Unknown inputs allow it.
bool rowsAllow(const FindingContext &context, int elements, int ofThread) {
    if (!context.input.evaluation)
        return true;
    const OrderedJson &task = context.input.evaluation->task;
    const auto inputs = task.is_object() ? task.find("inputs") : task.end();
    if (!task.is_object() || inputs == task.end() || !inputs->is_array())
        return true;
    bool isKnown = false;
    for (const auto &input : *inputs) {
        const auto shape = input.is_object() ? input.find("shape") : input.end();
        if (!input.is_object() || shape == input.end() || !shape->is_array() || shape->empty() ||
            !shape->back().is_number_integer())
            continue;
        isKnown = true;
        long long row = shape->back().get<long long>();
        // Pixels of three values: a thread takes one, and the row is a row of pixels.
        if (row == ofThread && shape->size() > 1 && (*shape)[shape->size() - 2].is_number_integer())
            row *= (*shape)[shape->size() - 2].get<long long>();
        if (row % elements == 0)
            return true;
    }
    return !isKnown;
}

/// Threads that each own their neighbouring values leave gaps between threads: each load then touches several
/// times the sectors it fills. Those of a stencil overlap with the next thread's, and have none. Where
/// threads lie farther apart than one wide load reaches, it mends little: that is "uncoalesced".
constexpr double leastGaps = 2;
constexpr double asWideAsTheRun = 1.25;

bool leavesGaps(const KernelEvidence &kernel, const AdjacentLoads &run) {
    double sectors = 0, ideal = 0;
    for (const std::size_t at : run.at) {
        sectors += kernel.code[at].count("sectors");
        ideal += kernel.code[at].count("sectorsIdeal");
    }
    if (ideal > 0)
        return sectors >= leastGaps * ideal && sectors <= asWideAsTheRun * run.count() * ideal &&
               run.count() * run.bytes <= leastBytesOfRun;
    return run.count() * run.bytes % leastBytesOfRun ==
           0; // not counted: no taps of a stencil, as they are odd
}

/// Of a wide load: of words four suffice, shorter ones have to fill sixteen bytes.
int elementsOf(const AdjacentLoads &run) {
    return run.bytes < wordBytes ? leastBytesOfRun / run.bytes : std::min(4, leastBytesOfRun / run.bytes);
}

/// "half", "a quarter", "1/8"
QString partText(int of) {
    return of == 2   ? QStringLiteral("half")
           : of == 4 ? QStringLiteral("a quarter")
                     : QStringLiteral("1/%1").arg(of);
}

} // namespace

std::vector<Finding> narrowAccessFindings(const FindingContext &context) {
    std::vector<Finding> found;
    for (const KernelEvidence &kernel : context.kernels) {
        std::vector<AdjacentLoads> runs = adjacentLoads(kernel.code);
        runs.erase(std::remove_if(runs.begin(), runs.end(),
                                  [&kernel](const AdjacentLoads &run) {
                                      return !isLongEnough(run) || !leavesGaps(kernel, run);
                                  }),
                   runs.end());
        if (runs.empty() || !rowsAllow(context, elementsOf(runs.front()), runs.front().count()))
            continue;
        std::set<std::size_t> narrow;
        for (const AdjacentLoads &run : runs)
            narrow.insert(run.at.begin(), run.at.end());
        const auto isNarrow = [&kernel, &narrow](const ReadInstruction &one) {
            return narrow.count(static_cast<std::size_t>(&one - kernel.code.data())) > 0;
        };
        const double share = kernel.waitingFor(isNarrow);
        if (kernel.hasSamples() ? share < leastShare : false)
            continue;
        // Without counters a scalar path may be the one for edges: a kernel that has wide loads knows of
        // them.
        const bool hasWide =
            std::any_of(kernel.code.begin(), kernel.code.end(), [](const ReadInstruction &one) {
                return isGlobalLoad(one) && loadedBytes(one) >= 16;
            });
        const bool isInLoop = std::any_of(narrow.begin(), narrow.end(),
                                          [&kernel](std::size_t at) { return kernel.code[at].isInLoop; });
        if (!kernel.hasSamples() && (hasWide || !isInLoop))
            continue;
        const AdjacentLoads &longest =
            *std::max_element(runs.begin(), runs.end(), [](const AdjacentLoads &a, const AdjacentLoads &b) {
                return a.count() < b.count();
            });
        const int place = static_cast<int>(longest.at.front());
        Finding finding = findingAt(context, kernel, "narrow-access",
                                    QStringLiteral("Narrow loads of adjacent values"), place);
        finding.isMeasured = kernel.hasSamples();
        // A vector of less than sixteen bytes: a thread can take several elements of the task.
        const bool takesSeveral = longest.count() * longest.bytes < leastBytesOfRun;
        const int wide = takesSeveral ? leastBytesOfRun : std::min(16, longest.count() * longest.bytes);
        finding.evidence.push_back({QStringLiteral("adjacent loads of one thread"),
                                    static_cast<double>(longest.count()), QString(), QStringLiteral("SASS")});
        finding.evidence.push_back({QStringLiteral("bytes of each"), static_cast<double>(longest.bytes),
                                    QStringLiteral("byte"), QStringLiteral("SASS")});
        finding.message = QStringLiteral("A thread loads %1 adjacent values of %2 each by separate loads; "
                                         "%3-byte loads would need %4 of the requests.")
                              .arg(longest.count())
                              .arg(countText(longest.bytes, QStringLiteral("byte")))
                              .arg(wide)
                              .arg(partText(wide / longest.bytes));
        finding.advice =
            takesSeveral
                ? QStringLiteral("Let each thread process several values by loads (and stores) of %1 bytes: "
                                 "pointer and row length must be multiples of %1 bytes.")
                      .arg(wide)
                : QStringLiteral("Load them as one float4 (or another %1-byte vector): pointer and row "
                                 "length must be multiples of %1 bytes.")
                      .arg(wide);
        if (kernel.hasSamples()) {
            finding.evidence.push_back({QStringLiteral("samples that wait for them"), share * 100,
                                        QStringLiteral("%"), QStringLiteral("ncu: smsp__pcsamp")});
            // With a k-th of the requests, what waits for requests waits for a k-th of them at best.
            claim(finding, context, kernel, share * (1 - static_cast<double>(longest.bytes) / wide),
                  QStringLiteral("%1 of the kernel's samples wait for them").arg(shareText(share)));
        }
        found.push_back(std::move(finding));
    }
    return found;
}

} // namespace warpwright
