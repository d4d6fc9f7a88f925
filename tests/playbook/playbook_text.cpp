// SPDX-License-Identifier: GPL-3.0-or-later
// What the playbook makes of graphs, for tests/playbook/check.py: standard input has one graph a line; for
// each a line of JSON comes back with its plan, and with its candidate's files where a folder is given.
#include "agent/playbook/candidate_text.h"
#include "agent/playbook/playbook_moves.h"
#include "agent/playbook/unfused_cost.h"

#include <QFile>

#include <cstdio>

using namespace warpwright;

namespace {

QString familyName(const FusedKernel &kernel) {
    switch (familyOf(kernel)) {
    case KernelFamily::Pointwise:
        return QStringLiteral("pointwise");
    case KernelFamily::Rows:
        return QStringLiteral("rows");
    case KernelFamily::Product:
        return QStringLiteral("product");
    case KernelFamily::Convolution:
        return QStringLiteral("convolution");
    case KernelFamily::Attention:
        return QStringLiteral("attention");
    case KernelFamily::ScatteredRows:
        return QStringLiteral("scatter");
    case KernelFamily::SortedRows:
        return QStringLiteral("sort");
    case KernelFamily::Columns:
        return QStringLiteral("columns");
    case KernelFamily::Windows:
        break;
    }
    return kernel.hasScans() ? QStringLiteral("scan") : QStringLiteral("windows");
}

// "v": vector math (a plan for a CPU), "k": rows kept, "s": streamed, "l": lanes, "w": wide loads, "o": one
// pass, "t": TF32, "b": blocks of a cluster, "r": what
// rows look up in shared memory, "g": groups of warps, "c": the plan with channels last, "a":
// with attention as one kernel, "p": with products and convolutions of ours, "i": with copies of images that
// are sampled.
KernelTuning tuningOf(const QString &letters) {
    KernelTuning tuning;
    tuning.hasVectorMath = letters.contains(QLatin1Char('v'));
    tuning.keepsRow = letters.contains(QLatin1Char('k'));
    tuning.streamsResults = letters.contains(QLatin1Char('s'));
    tuning.hasLanes = letters.contains(QLatin1Char('l'));
    tuning.hasWideLoads = letters.contains(QLatin1Char('w'));
    tuning.isOnePass = letters.contains(QLatin1Char('o'));
    tuning.isClustered = letters.contains(QLatin1Char('b'));
    tuning.usesWarpGroups = letters.contains(QLatin1Char('g'));
    tuning.stagesRows = letters.contains(QLatin1Char('r'));
    tuning.usesTf32 = letters.contains(QLatin1Char('t'));
    return tuning;
}

Json answerTo(const QByteArray &line, const QString &letters) {
    const Result<ReferenceGraph> graph = readReferenceGraph(line);
    if (!graph.hasValue())
        return Json{{"fault", toJson(graph.message())}};
    const KernelPlan plan =
        planOf(graph.value(), {letters.contains(QLatin1Char('c')), letters.contains(QLatin1Char('a')),
                               letters.contains(QLatin1Char('p')), letters.contains(QLatin1Char('i')),
                               letters.contains(QLatin1Char('v'))});
    if (const QString why = whyNotCallable(plan); !why.isEmpty())
        return Json{{"cannot", toJson(why)}};
    Json answer{
        {"signature", toJson(plan.signature())}, {"kernels", Json::array()}, {"files", Json::object()}};
    answer["bytes"] = plan.bytes();
    answer["unfusedBytes"] = unfusedBytes(graph.value());
    for (const FusedKernel &kernel : plan.kernels)
        answer["kernels"].push_back(Json{{"family", toJson(familyName(kernel))},
                                         {"rows", kernel.rows()},
                                         {"columns", kernel.columns()},
                                         {"bytes", kernel.bytes()},
                                         {"operations", kernel.operations()},
                                         {"passes", kernel.passCount()}});
    const std::vector<KernelTuning> tunings(plan.kernels.size(), tuningOf(letters));
    answer["predicted"] = predictedSeconds(plan, tunings, {true, 2, std::nullopt, true, true});
    for (const auto &[path, bytes] : candidateFiles(plan, tunings))
        answer["files"][toJson(path)] = bytes.toStdString();
    return answer;
}

} // namespace

int main(int argc, char **argv) {
    const QString letters = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QString();
    QFile input;
    if (!input.open(stdin, QIODevice::ReadOnly))
        return 2;
    for (QByteArray line = input.readLine(); !line.isEmpty(); line = input.readLine()) {
        std::fputs(dumpJson(answerTo(line, letters)).append('\n').constData(), stdout);
        std::fflush(stdout);
    }
    return 0;
}
