// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/figures.h"
#include "toolchain/findings/detectors.h"
#include "toolchain/python_text.h"
#include "toolchain/scanned_text.h"

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

/// Whether a condition of the text's own decides on this line: "if (!buffer)" above a cudaMalloc is how a
/// buffer is kept for the next call. A check of the call's own result is none.
bool isGuarded(const QStringList &lines, int line) {
    static const QRegularExpression guard(
        QStringLiteral(R"(\b(if|while)\s*\((?!\s*(\(?\w+\s*=\s*)?cuda)|\bcall_once\b|\bstatic\b)"));
    for (int i = std::max(0, line - 3); i < line; ++i)
        if (guard.match(lines.value(i)).hasMatch())
            return true;
    return false;
}

/// A function of a text: what stands before its braces, and between them.
struct Function {
    QString name;
    QString head;
    qsizetype open = 0;  ///< of its braces
    qsizetype close = 0; ///< likewise
};

/// Of the outermost braces those that are functions'. Namespaces, extern "C" and structs are looked into.
std::vector<Function> functionsOf(const QString &code) {
    static const QRegularExpression named(QStringLiteral(R"(([A-Za-z_]\w*)\s*\()"));
    std::vector<Function> found;
    qsizetype open = -1;
    qsizetype begin = 0; // of what stands before the braces
    int depth = 0;
    for (qsizetype i = 0; i < code.size(); ++i) {
        const QChar letter = code[i];
        if (letter == QLatin1Char('{')) {
            const QString head = code.mid(begin, i - begin);
            const bool isFrame = depth == 0 && !head.contains(QLatin1Char('('));
            if (isFrame && !head.contains(QLatin1Char('=')))
                begin = i + 1;
            else if (depth++ == 0)
                open = i;
        } else if (letter == QLatin1Char('}')) {
            if (depth > 0 && --depth == 0) {
                const QString head = code.mid(begin, open - begin);
                found.push_back({named.match(head).captured(1), head, open, i});
                begin = i + 1;
            } else if (depth == 0) {
                begin = i + 1;
            }
        } else if (letter == QLatin1Char(';') && depth == 0) {
            begin = i + 1;
        }
    }
    return found;
}

/// Whether the function around this place runs in each call: it launches something itself, is one that other
/// languages call, or such a one calls it without a condition. What only prepares (a plan, a choice among
/// algorithms) mostly runs once, and its caller keeps the result.
bool isInLauncher(const QString &code, const QStringList &lines, const std::vector<Function> &functions,
                  qsizetype place, int depth = 0) {
    constexpr int deepest = 3;
    const auto around = std::find_if(functions.begin(), functions.end(), [place](const Function &one) {
        return one.open < place && place < one.close;
    });
    if (around == functions.end() || depth > deepest)
        return false;
    const QString body = code.mid(around->open, around->close - around->open);
    if (body.contains(QLatin1String("<<<")) || body.contains(QLatin1String("cudaLaunchKernel")) ||
        around->head.contains(QLatin1String("extern")))
        return true;
    if (around->name.isEmpty())
        return false;
    const QRegularExpression called(QStringLiteral(R"(\b%1\s*\()").arg(around->name));
    for (auto match = called.globalMatch(code); match.hasNext();) {
        const qsizetype at = match.next().capturedStart();
        const bool isInside = around->open <= at && at <= around->close;
        if (!isInside && !isGuarded(lines, static_cast<int>(code.left(at).count(QLatin1Char('\n'))) + 1) &&
            isInLauncher(code, lines, functions, at, depth + 1))
            return true;
    }
    return false;
}

void scanCuda(const QString &path, const QByteArray &text, std::vector<Spot> &spots) {
    static const QRegularExpression waits(
        QStringLiteral(R"(\b(cudaDeviceSynchronize|cudaStreamSynchronize|cudaEventSynchronize|cudaMemcpy|)"
                       R"(cudaThreadSynchronize|cudaMalloc|cudaFree|cudaMallocManaged|cudaMallocHost|)"
                       R"(cudaHostAlloc|cudaFreeHost)\s*\()"));
    const ScannedText scanned = scanText(text, Literals::Blanked);
    const QStringList lines = scanned.code.split(QLatin1Char('\n'));
    const std::vector<Function> functions = functionsOf(scanned.code);
    for (auto match = waits.globalMatch(scanned.code); match.hasNext();) {
        const auto one = match.next();
        const int line = scanned.lineAt(one.capturedStart());
        const auto index = static_cast<std::size_t>(line - 1);
        if (index < scanned.isUnsure.size() && scanned.isUnsure[index])
            continue; // in a macro, or behind #ifdef DEBUG: it may never run
        const QString word = one.captured(1);
        const bool isAllocation = word.contains(QLatin1String("Malloc")) ||
                                  word.contains(QLatin1String("Free")) ||
                                  word.contains(QLatin1String("Alloc"));
        if (!isGuarded(lines, line) && isInLauncher(scanned.code, lines, functions, one.capturedStart()))
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
    finding.evidence.push_back({QStringLiteral("places that wait or allocate"),
                                static_cast<double>(spots.size()), QString(), QStringLiteral("source")});
    finding.message = QStringLiteral("The candidate calls %1 each time: host and device wait for each other, "
                                     "and the next launch comes late.")
                          .arg(words.join(QStringLiteral(", ")));
    finding.advice =
        told.isAllocation
            ? QStringLiteral("Allocate by torch (torch::empty: it keeps what it had), or once and keep it.")
            : QStringLiteral("Leave it out: work on one stream runs in its order, and whoever reads the "
                             "result waits for it. Check errors by cudaGetLastError().");
    if (gap) {
        finding.evidence.push_back({QStringLiteral("of a call that is no kernel"), *gap, QStringLiteral("µs"),
                                    QStringLiteral("clock and ncu")});
        finding.gainMicroseconds = *gap;
        finding.gainShare = *gap / *context.callMicroseconds;
        finding.gainBasis = QStringLiteral("the part of a call that is no kernel");
    }
    return {finding};
}

} // namespace warpwright
