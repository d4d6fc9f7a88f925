// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/findings/detectors.h"
#include "toolchain/findings/launcher_search.h"
#include "toolchain/text/python_text.h"
#include "toolchain/text/scanned_text.h"

#include <QRegularExpression>

#include <algorithm>

namespace warpwright {
namespace {

/// Of the call's time that is no kernel: below it the waiting costs nothing, as the judge measures.
constexpr double leastGap = 0.05;

struct Spot {
    QString file;
    int line = 0;
    QString word;
    bool isAllocation = false;
};

/// Whether a condition of the text's own decides on this line (from 1): "if (!buffer)" above a cudaMalloc is
/// how a buffer is kept for the next call. A check of the call's own result is none.
bool isGuarded(const QStringList &lines, int line) {
    static const QRegularExpression guard(
        QStringLiteral(R"(\b(if|while)\s*\((?!\s*(\(?\w+\s*=\s*)?cuda)|\bcall_once\b|\bstatic\b)"));
    for (int i = std::max(0, line - 3); i < line; ++i)
        if (guard.match(lines.value(i)).hasMatch())
            return true;
    return false;
}

void scanCuda(const QString &path, const QByteArray &text, std::vector<Spot> &spots) {
    static const QRegularExpression waits(
        QStringLiteral(R"(\b(cudaDeviceSynchronize|cudaStreamSynchronize|cudaEventSynchronize|cudaMemcpy|)"
                       R"(cudaThreadSynchronize|cudaMalloc|cudaFree|cudaMallocManaged|cudaMallocHost|)"
                       R"(cudaHostAlloc|cudaFreeHost)\s*\()"));
    const ScannedText scanned = scanText(text, Literals::Blanked);
    if (!waits.match(scanned.code).hasMatch())
        return;
    const QString code = withoutDirectives(scanned.code);
    const QStringList lines = code.split(QLatin1Char('\n'));
    LauncherSearch launchers(code, [&lines](int line) { return isGuarded(lines, line); });
    for (auto match = waits.globalMatch(code); match.hasNext();) {
        const auto one = match.next();
        const int line = launchers.lineAt(one.capturedStart());
        const auto index = static_cast<std::size_t>(line - 1);
        if (index < scanned.isUnsure.size() && scanned.isUnsure[index])
            continue; // in a macro, or behind #ifdef DEBUG: it may never run
        const QString word = one.captured(1);
        const bool isAllocation = word.contains(QLatin1String("Malloc")) ||
                                  word.contains(QLatin1String("Free")) ||
                                  word.contains(QLatin1String("Alloc"));
        if (!isGuarded(lines, line) && launchers.runsInEachCall(one.capturedStart()))
            spots.push_back({path, line, word, isAllocation});
    }
}

/// Of forward() alone: what is done once is done before.
void scanPython(const QString &path, const QByteArray &text, std::vector<Spot> &spots) {
    static const QRegularExpression method(QStringLiteral(R"(^(\s*)def\s+(\w+))"));
    static const QRegularExpression waits(
        QStringLiteral(R"((torch\.cuda\.synchronize|\.item|\.cpu|\.tolist)\s*\()"));
    const QStringList lines = readPythonText(text).code.split(QLatin1Char('\n'));
    qsizetype depth = -1;
    for (int i = 0; i < lines.size(); ++i) {
        if (const auto found = method.match(lines[i]); found.hasMatch()) {
            if (found.captured(2) == QLatin1String("forward"))
                depth = found.captured(1).size();
            else if (depth >= 0 && found.captured(1).size() <= depth)
                depth = -1;
            continue;
        }
        if (depth < 0)
            continue;
        if (const auto found = waits.match(lines[i]); found.hasMatch())
            spots.push_back({path, i + 1, found.captured(1), false});
    }
}

} // namespace

std::vector<Finding> hostSyncFindings(const FindingContext &context) {
    std::vector<Spot> spots;
    for (const auto &[path, text] : context.input.texts) {
        if (!isCandidatePath(path))
            continue;
        if (path.endsWith(QLatin1String(".cu")) || path.endsWith(QLatin1String(".cuh")) ||
            path.endsWith(QLatin1String(".cpp")) || path.endsWith(QLatin1String(".h")))
            scanCuda(path, text, spots);
        else if (path.endsWith(QLatin1String(".py")))
            scanPython(path, text, spots);
    }
    // Who allocates in each call frees in each call; without that it is kept, wherever.
    const bool frees = std::any_of(spots.begin(), spots.end(), [](const Spot &spot) {
        return spot.word.startsWith(QLatin1String("cudaFree"));
    });
    if (!frees)
        spots.erase(
            std::remove_if(spots.begin(), spots.end(), [](const Spot &spot) { return spot.isAllocation; }),
            spots.end());
    if (spots.empty())
        return {};
    std::optional<double> gap;
    if (context.figures && context.figures->candidate() != nullptr && context.kernelMicroseconds) {
        gap = std::max(0.0, *context.callMicroseconds - *context.kernelMicroseconds);
        if (*gap < leastGap * *context.callMicroseconds)
            return {};
    }
    const auto first =
        std::find_if(spots.begin(), spots.end(), [](const Spot &spot) { return !spot.isAllocation; });
    const Spot &told = first == spots.end() ? spots.front() : *first;
    Finding finding;
    finding.id = QStringLiteral("host-sync");
    finding.title = told.isAllocation ? QStringLiteral("Memory is allocated in the call")
                                      : QStringLiteral("The launcher waits for the device");
    finding.file = told.file;
    finding.line = told.line;
    finding.isMeasured = gap.has_value();
    QStringList words;
    for (const Spot &spot : spots)
        if (!words.contains(spot.word))
            words << spot.word;
    finding.evidence.push_back({QStringLiteral("calls in the source that wait or allocate"),
                                static_cast<double>(spots.size()), QString(), QStringLiteral("source")});
    finding.message = QStringLiteral("Each call of the candidate runs %1: host and device wait for each "
                                     "other, and the next launch is delayed.")
                          .arg(words.join(QStringLiteral(", ")));
    finding.advice =
        told.isAllocation
            ? QStringLiteral("Allocate with torch::empty, whose caching allocator reuses memory, or allocate "
                             "once and keep the buffer.")
            : QStringLiteral("Remove it: work on one stream runs in order, and whoever reads the result "
                             "waits for it. Check for errors with cudaGetLastError().");
    if (gap) {
        finding.evidence.push_back({QStringLiteral("time of a call outside its kernels"), *gap,
                                    QStringLiteral("µs"), QStringLiteral("clock and ncu")});
        finding.gainMicroseconds = *gap;
        finding.gainShare = *gap / *context.callMicroseconds;
        finding.gainBasis = QStringLiteral("the time of a call outside its kernels");
    }
    return {finding};
}

} // namespace warpwright
