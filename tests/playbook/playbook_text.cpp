// SPDX-License-Identifier: GPL-3.0-or-later
// What the playbook makes of graphs, for tests/playbook/check.py: standard input has one graph a line; for
// each it prints a line of JSON with the program's kernels and the candidate's files. The first argument is
// the knobs, as letters (knobsOf() and choicesOf()).
// --hashes, for golden.py: a line is several such words, a tab and a graph; it prints, for each word, hashes
// of every file with the first and with the last config, and of the moves from there. The device is always
// the same.
#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/analysis/unfused_cost.h"
#include "agent/playbook/codegen/cuda/kernel_templates.h"
#include "agent/playbook/codegen/torch/candidate_files.h"
#include "agent/playbook/ir/graph_json.h"
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/target/device_rows.h"
#include "agent/playbook/tuning/playbook_moves.h"
#include "toolchain/base/data_folders.h"
#include "toolchain/base/json.h"

#include <QCryptographicHash>
#include <QFile>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

using namespace warpwright;

namespace {

QString familyName(const Kernel &kernel) {
    switch (familyOf(kernel)) {
    case KernelFamily::Pointwise:
        return QStringLiteral("pointwise");
    case KernelFamily::Rows:
        return QStringLiteral("rows");
    case KernelFamily::Matmul:
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

// On a CPU "v": vector math, "k": a row stays in the cache, "s": results bypass the cache, "l": column tiles.
// On a GPU "w": wide loads, "o": a row in registers, "b": clusters, "g": warp groups, "r": gathers through
// shared memory, "t": TF32.
Knobs knobsOf(const QString &letters) {
    Knobs knobs;
    knobs.hasVectorMath = letters.contains(QLatin1Char('v'));
    knobs.cachesRow = letters.contains(QLatin1Char('k'));
    knobs.streamsResults = letters.contains(QLatin1Char('s'));
    knobs.hasColumnTiles = letters.contains(QLatin1Char('l'));
    knobs.hasWideLoads = letters.contains(QLatin1Char('w'));
    knobs.isPersistent = letters.contains(QLatin1Char('o'));
    knobs.isClustered = letters.contains(QLatin1Char('b'));
    knobs.usesWarpGroups = letters.contains(QLatin1Char('g'));
    knobs.gathersThroughShared = letters.contains(QLatin1Char('r'));
    knobs.usesTf32 = letters.contains(QLatin1Char('t'));
    return knobs;
}

// An H200's row, never this machine's own device.
SharedDevice readH200() {
    const DataFolders folders = DataFolders::find(QProcessEnvironment::systemEnvironment(), QString());
    const Result<Device> row = readDeviceRow(deviceRowsFolder(folders.resources) + "/h200.json");
    if (row.hasValue())
        return std::make_shared<const Device>(row.value());
    std::fprintf(stderr, "no H200: %s\n", qPrintable(row.message()));
    std::exit(2);
}

// "c": channels last, "a": attention as one kernel, "p": matmuls and convolutions of ours, "i": copies of
// sampled tensors, "v": for a CPU.
ProgramChoices choicesOf(const QString &letters) {
    return {letters.contains(QLatin1Char('c')), letters.contains(QLatin1Char('a')),
            letters.contains(QLatin1Char('p')), letters.contains(QLatin1Char('i')),
            letters.contains(QLatin1Char('v'))};
}

// An H200 with a measured bandwidth, or two threads of a CPU.
Target targetOf(const QString &letters) {
    if (letters.contains(QLatin1Char('v')) || letters.isEmpty())
        return {CpuTarget{2}, 20e9};
    return {.memoryBytesASecond = 4.2e12};
}

Json answerTo(const QByteArray &line, const QString &letters, const SharedDevice &device) {
    const Result<ReferenceGraph> graph = readReferenceGraph(line);
    if (!graph.hasValue())
        return Json{{"fault", toJson(graph.message())}};
    const Program program = programOf(graph.value(), device, choicesOf(letters));
    if (const QString why = whyNotCallable(program); !why.isEmpty())
        return Json{{"cannot", toJson(why)}};
    Json answer{
        {"signature", toJson(program.signature())}, {"kernels", Json::array()}, {"files", Json::object()}};
    answer["bytes"] = program.bytes();
    answer["unfusedBytes"] = unfusedBytes(graph.value());
    for (const Kernel &kernel : program.kernels)
        answer["kernels"].push_back(Json{{"family", toJson(familyName(kernel))},
                                         {"rows", kernel.rows()},
                                         {"columns", kernel.columns()},
                                         {"bytes", kernel.bytes()},
                                         {"operations", kernel.operations()},
                                         {"passes", kernel.passCount()}});
    const std::vector<Knobs> knobSets(program.kernels.size(), knobsOf(letters));
    answer["predicted"] = predictedSeconds(program, knobSets, Target());
    for (const auto &[path, bytes] : candidateFiles(program, knobSets))
        answer["files"][toJson(path)] = bytes.toStdString();
    return answer;
}

std::string hashOf(const QByteArray &bytes) {
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex().left(16).toStdString();
}

// What a person would read of the moves from there: titles, reasons, configs, predictions.
QByteArray movesText(const Program &program, const std::vector<Knobs> &knobSets, const Target &target) {
    QStringList lines{QString::number(predictedSeconds(program, knobSets, target), 'g', 9)};
    std::vector<PlaybookMove> moves = movesFrom(program, knobSets, target);
    for (PlaybookMove &variant : variantsFrom(program, knobSets, target))
        moves.push_back(std::move(variant));
    for (const PlaybookMove &move : moves)
        lines << move.remembered() << move.title << move.reason
              << QString::fromUtf8(dumpJson(predictionToJson(move.prediction)))
              << kernelClass(program, knobSets, move.knobSets);
    return lines.join(QLatin1Char('\n')).toUtf8();
}

std::vector<Knobs> withLastConfigs(const Program &program, std::vector<Knobs> knobSets) {
    for (std::size_t i = 0; i < knobSets.size(); ++i)
        if (const std::size_t count = configSpace(program.kernels[i], knobSets[i]).size(); count > 1)
            knobSets[i].config = static_cast<int>(count) - 1;
    return knobSets;
}

Json hashesOf(const QByteArray &line, const SharedDevice &device) {
    const qsizetype tab = line.indexOf('\t');
    const Result<ReferenceGraph> graph = readReferenceGraph(line.mid(tab + 1));
    if (!graph.hasValue())
        return Json{{"fault", toJson(graph.message())}};
    Json answer = Json::object();
    std::vector<Program> programs;
    const QStringList words = QString::fromUtf8(line.left(tab)).split(QLatin1Char(' '));
    for (const QString &word : words) {
        const QString letters = word == QLatin1String("plain") ? QString() : word;
        const ProgramChoices choices = choicesOf(letters);
        auto program = std::find_if(programs.begin(), programs.end(),
                                    [&choices](const Program &each) { return each.choices == choices; });
        if (program == programs.end())
            program = programs.insert(programs.end(), programOf(graph.value(), device, choices));
        if (const QString why = whyNotCallable(*program); !why.isEmpty()) {
            answer[word.toStdString()] = Json{{"cannot", hashOf(why.toUtf8())}};
            continue;
        }
        if (std::any_of(program->kernels.begin(), program->kernels.end(),
                        [&device](const Kernel &kernel) { return kernel.device != device; }))
            return Json{{"fault", "a kernel is for another device than its program"}};
        const std::vector<Knobs> knobSets(program->kernels.size(), knobsOf(letters));
        std::map<std::string, std::string> hashes{
            {"signature", hashOf(program->signature().toUtf8())},
            {"moves", hashOf(movesText(*program, knobSets, targetOf(letters)))}};
        for (const auto &[path, bytes] : candidateFiles(*program, knobSets))
            hashes[path.toStdString()] = hashOf(bytes);
        for (const auto &[path, bytes] : candidateFiles(*program, withLastConfigs(*program, knobSets)))
            hashes[path.toStdString()] += " " + hashOf(bytes);
        answer[word.toStdString()] = hashes;
    }
    return answer;
}

} // namespace

int main(int argc, char **argv) {
    const QString letters = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QString();
    const bool hashes = letters == QLatin1String("--hashes");
    const SharedDevice device = readH200();
    QFile input;
    if (!input.open(stdin, QIODevice::ReadOnly))
        return 2;
    for (QByteArray line = input.readLine(); !line.isEmpty(); line = input.readLine()) {
        std::fputs(dumpJson(hashes ? hashesOf(line, device) : answerTo(line, letters, device))
                       .append('\n')
                       .constData(),
                   stdout);
        std::fflush(stdout);
    }
    return 0;
}
