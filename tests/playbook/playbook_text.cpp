// SPDX-License-Identifier: GPL-3.0-or-later
// What the playbook makes of graphs, for tests/playbook/check.py: standard input has one graph a line; for
// each a line of JSON comes back with its plan and its candidate's files, in the tuning of the first
// argument.
// --hashes, for golden.py: a line is tunings, a tab and a graph; what comes back are hashes of every file, in
// each tuning with the first and the last config, and of the moves from there. The device is always the same.
#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/analysis/unfused_cost.h"
#include "agent/playbook/codegen/torch/candidate_text.h"
#include "agent/playbook/ir/graph_json.h"
#include "agent/playbook/lowering/plan_of_graph.h"
#include "agent/playbook/schedule/cuda_choices.h"
#include "agent/playbook/target/plan_device.h"
#include "agent/playbook/tuning/playbook_moves.h"
#include "toolchain/base/json.h"

#include <QCryptographicHash>
#include <QFile>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

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

// The row of an H200, never the machine's own device: planOf() takes it where none is named, too.
const Device *chip() {
    const Result<const Device *> &usual = usualDevice();
    if (usual.hasValue() && usual.value()->name == QLatin1String("NVIDIA H200"))
        return usual.value();
    std::fprintf(stderr, "no H200: %s\n", qPrintable(usual.message()));
    std::exit(2);
}

PlanChoices choicesOf(const QString &letters) {
    return {letters.contains(QLatin1Char('c')), letters.contains(QLatin1Char('a')),
            letters.contains(QLatin1Char('p')), letters.contains(QLatin1Char('i')),
            letters.contains(QLatin1Char('v')), chip()};
}

// An H200 of compute capability 9.0 whose memory was measured, or two threads of a CPU.
PlaybookDevice deviceOf(const QString &letters) {
    if (letters.contains(QLatin1Char('v')) || letters.isEmpty())
        return {false, 2, 20e9, false, false};
    return {true, 2, 4.2e12, true, true};
}

Json answerTo(const QByteArray &line, const QString &letters) {
    const Result<ReferenceGraph> graph = readReferenceGraph(line);
    if (!graph.hasValue())
        return Json{{"fault", toJson(graph.message())}};
    const KernelPlan plan = planOf(graph.value(), choicesOf(letters));
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

std::string hashOf(const QByteArray &bytes) {
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex().left(16).toStdString();
}

// What a person would read of the moves from there: their words, their configs, their gains.
QByteArray movesText(const KernelPlan &plan, const std::vector<KernelTuning> &tunings,
                     const PlaybookDevice &device) {
    QStringList lines{QString::number(predictedSeconds(plan, tunings, device), 'g', 9)};
    std::vector<PlaybookMove> moves = movesFrom(plan, tunings, device);
    for (PlaybookMove &variant : variantsFrom(plan, tunings, device))
        moves.push_back(std::move(variant));
    for (const PlaybookMove &move : moves)
        lines << move.remembered() << move.title << move.reason
              << QString::fromUtf8(dumpJson(predictionToJson(move.prediction)))
              << kernelClass(plan, tunings, move.tunings);
    return lines.join(QLatin1Char('\n')).toUtf8();
}

std::vector<KernelTuning> withLastConfigs(const KernelPlan &plan, std::vector<KernelTuning> tunings) {
    for (std::size_t i = 0; i < tunings.size(); ++i)
        if (const std::size_t count = configChoices(plan.kernels[i], tunings[i]).size(); count > 1)
            tunings[i].config = static_cast<int>(count) - 1;
    return tunings;
}

Json hashesOf(const QByteArray &line) {
    const qsizetype tab = line.indexOf('\t');
    const Result<ReferenceGraph> graph = readReferenceGraph(line.mid(tab + 1));
    if (!graph.hasValue())
        return Json{{"fault", toJson(graph.message())}};
    Json answer = Json::object();
    std::vector<KernelPlan> plans;
    const QStringList tuningsOfGraph = QString::fromUtf8(line.left(tab)).split(QLatin1Char(' '));
    for (const QString &word : tuningsOfGraph) {
        const QString letters = word == QLatin1String("plain") ? QString() : word;
        const PlanChoices choices = choicesOf(letters);
        auto plan = std::find_if(plans.begin(), plans.end(),
                                 [&choices](const KernelPlan &each) { return each.choices == choices; });
        if (plan == plans.end())
            plan = plans.insert(plans.end(), planOf(graph.value(), choices));
        if (const QString why = whyNotCallable(*plan); !why.isEmpty()) {
            answer[word.toStdString()] = Json{{"cannot", hashOf(why.toUtf8())}};
            continue;
        }
        if (std::any_of(plan->kernels.begin(), plan->kernels.end(),
                        [](const FusedKernel &kernel) { return kernel.device != chip(); }))
            return Json{{"fault", "a kernel is for another device than its plan"}};
        const std::vector<KernelTuning> tunings(plan->kernels.size(), tuningOf(letters));
        std::map<std::string, std::string> hashes{
            {"signature", hashOf(plan->signature().toUtf8())},
            {"moves", hashOf(movesText(*plan, tunings, deviceOf(letters)))}};
        for (const auto &[path, bytes] : candidateFiles(*plan, tunings))
            hashes[path.toStdString()] = hashOf(bytes);
        for (const auto &[path, bytes] : candidateFiles(*plan, withLastConfigs(*plan, tunings)))
            hashes[path.toStdString()] += " " + hashOf(bytes);
        answer[word.toStdString()] = hashes;
    }
    return answer;
}

} // namespace

int main(int argc, char **argv) {
    const QString letters = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QString();
    const bool hashes = letters == QLatin1String("--hashes");
    QFile input;
    if (!input.open(stdin, QIODevice::ReadOnly))
        return 2;
    for (QByteArray line = input.readLine(); !line.isEmpty(); line = input.readLine()) {
        std::fputs(dumpJson(hashes ? hashesOf(line) : answerTo(line, letters)).append('\n').constData(),
                   stdout);
        std::fflush(stdout);
    }
    return 0;
}
