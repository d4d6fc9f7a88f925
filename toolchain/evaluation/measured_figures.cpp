// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/evaluation/measured_figures.h"

#include "toolchain/evaluation/evidence_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace warpwright {
namespace {

constexpr double muchSlower = 1.2; ///< times longer

constexpr std::array armOrder{"eager",         "eagerStrict", "eagerTf32", "compile",
                              "compileStrict", "compileTf32", "candidate"};

const OrderedJson &memberOf(const OrderedJson &object, const char *key) {
    static const OrderedJson nothing;
    if (!object.is_object())
        return nothing;
    const auto found = object.find(key);
    return found == object.end() ? nothing : *found;
}

std::optional<double> numberIn(const OrderedJson &object, const char *key) {
    const OrderedJson &value = memberOf(object, key);
    if (!value.is_number())
        return std::nullopt;
    return value.get<double>();
}

std::optional<int> integerIn(const OrderedJson &object, const char *key) {
    const std::optional<double> number = numberIn(object, key);
    if (!number || std::fabs(*number) > std::numeric_limits<int>::max())
        return std::nullopt;
    return static_cast<int>(*number);
}

/// The judge writes what JSON cannot say as words: "NaN", "Infinity", "-Infinity".
std::optional<double> anyNumberIn(const OrderedJson &object, const char *key) {
    const QString word = stringIn(object, key);
    if (word == QLatin1String("NaN"))
        return std::numeric_limits<double>::quiet_NaN();
    if (word == QLatin1String("Infinity"))
        return std::numeric_limits<double>::infinity();
    if (word == QLatin1String("-Infinity"))
        return -std::numeric_limits<double>::infinity();
    return numberIn(object, key);
}

bool areSame(const std::optional<double> &a, const std::optional<double> &b) {
    return a == b || (a && b && std::isnan(*a) && std::isnan(*b));
}

std::optional<ArmFigures> readArm(const OrderedJson &profile, const char *name) {
    const std::optional<ArmTiming> timing = armIn(profile, name);
    const OrderedJson &row = memberOf(memberOf(profile, "arms"), name);
    // A time without its interval is no measurement: it is left out rather than shown as certain.
    if (!timing || !(timing->medianMicroseconds > 0) || !numberIn(row, "lowMicroseconds") ||
        !numberIn(row, "highMicroseconds"))
        return std::nullopt;
    ArmFigures arm;
    arm.name = QLatin1String(name);
    arm.label = armLabel(arm.name);
    arm.medianMicroseconds = timing->medianMicroseconds;
    arm.lowMicroseconds = timing->lowMicroseconds;
    arm.highMicroseconds = timing->highMicroseconds;
    arm.samples = integerIn(row, "samples");
    arm.callsPerSample = integerIn(row, "callsPerSample");
    arm.isLive = timing->isLive;
    arm.drift = numberIn(row, "driftOfAnchor");
    arm.flags = stringsIn(memberOf(row, "flags"));
    arm.precision = stringIn(row, "precision");
    return arm;
}

struct ElementType {
    const char *name;
    const char *shortName;
    int bytes;
};
constexpr std::array elementTypes{ElementType{"float64", "f64", 8}, ElementType{"float32", "f32", 4},
                                  ElementType{"float16", "f16", 2}, ElementType{"bfloat16", "bf16", 2},
                                  ElementType{"int64", "i64", 8},   ElementType{"int32", "i32", 4},
                                  ElementType{"int16", "i16", 2},   ElementType{"int8", "i8", 1},
                                  ElementType{"uint8", "u8", 1},    ElementType{"bool", "bool", 1}};

/// "x f32 [16384, 4096], 268 MB"
QString tensorText(const OrderedJson &tensor) {
    QString type = stringIn(tensor, "dtype");
    double bytes = 0;
    for (const ElementType &known : elementTypes) {
        if (type == QLatin1String(known.name)) {
            type = QLatin1String(known.shortName);
            bytes = known.bytes;
            break;
        }
    }
    QStringList sizes;
    for (const OrderedJson &size : memberOf(tensor, "shape")) {
        if (!size.is_number())
            continue;
        bytes *= size.get<double>();
        sizes << QString::number(size.get<qint64>());
    }
    QString text = stringIn(tensor, "name");
    if (!text.isEmpty())
        text += QLatin1Char(' ');
    text += QStringLiteral("%1 [%2]").arg(type, sizes.join(QStringLiteral(", ")));
    return bytes > 0 ? text + QStringLiteral(", ") + scaledText(bytes, QStringLiteral("B")) : text;
}

QStringList tensorTexts(const OrderedJson &tensors) {
    QStringList texts;
    if (tensors.is_array()) {
        for (const OrderedJson &tensor : tensors)
            texts << tensorText(tensor);
    }
    return texts;
}

DeviceFigures readDevice(const OrderedJson &section) {
    DeviceFigures device;
    device.kind = stringIn(section, "kind");
    device.name = stringIn(section, "name");
    device.index = integerIn(section, "index");
    device.architecture = stringIn(section, "architecture");
    device.memoryBytes = numberIn(section, "memoryBytes");
    const OrderedJson &ceilings = memberOf(section, "ceilings");
    const std::optional<double> copy = numberIn(ceilings, "copyBytesPerSecond");
    const std::optional<double> read = numberIn(ceilings, "readBytesPerSecond");
    device.bytesPerSecond = copy && read ? std::max(copy, read) : copy ? copy : read;
    device.cacheBytesPerSecond = numberIn(ceilings, "cacheBytesPerSecond");
    device.fp32FlopsPerSecond = numberIn(ceilings, "fp32FlopsPerSecond");
    device.tf32FlopsPerSecond = numberIn(ceilings, "tf32FlopsPerSecond");
    device.bf16FlopsPerSecond = numberIn(ceilings, "bf16FlopsPerSecond");
    device.fp64FlopsPerSecond = numberIn(ceilings, "fp64FlopsPerSecond");
    return device;
}

/// What the judge's speed of light comes from: the longer of moving the bytes and doing the arithmetic.
QString limitOf(const OrderedJson &task, const DeviceFigures &device, const QStringList &allowed) {
    const std::optional<double> flops = numberIn(task, "flops");
    const std::optional<double> bytes = numberIn(task, "bytes");
    if (!flops || !bytes || !device.bytesPerSecond || !device.fp32FlopsPerSecond)
        return {};
    const double matrix = numberIn(task, "matrixFlops").value_or(0);
    const double tf32 = allowed.contains(QLatin1String("TF32")) ? device.tf32FlopsPerSecond.value_or(0) : 0.0;
    const double single = std::max(tf32, *device.fp32FlopsPerSecond);
    const double half = numberIn(task, "halfMatrixFlops").value_or(0); // no document before 2026-11-24 has it
    const double ofMatrices =
        half / std::max(device.bf16FlopsPerSecond.value_or(0), single) + (matrix - half) / single;
    const double arithmetic = std::max(ofMatrices, (*flops - matrix) / *device.fp32FlopsPerSecond);
    return *bytes / *device.bytesPerSecond >= arithmetic ? QStringLiteral("memory")
                                                         : QStringLiteral("compute");
}

TaskFigures readTask(const Evaluation &evaluation, const DeviceFigures &device) {
    const OrderedJson &section = evaluation.task;
    TaskFigures task;
    task.inputs = tensorTexts(memberOf(section, "inputs"));
    task.outputs = tensorTexts(memberOf(section, "outputs"));
    task.parameters = numberIn(memberOf(section, "parameters"), "count");
    task.flops = numberIn(section, "flops");
    task.bytes = numberIn(section, "bytes");
    if (task.flops && task.bytes && *task.bytes > 0)
        task.intensity = *task.flops / *task.bytes;
    task.limit = limitOf(section, device, evaluation.precisionAllowed);
    task.method = stringIn(section, "method");
    return task;
}

std::optional<WorstElement> readWorst(const OrderedJson &json) {
    WorstElement worst;
    worst.output = stringIn(json, "output");
    QStringList index;
    for (const OrderedJson &position : memberOf(json, "index")) {
        if (position.is_number())
            index << QString::number(position.get<qint64>());
    }
    worst.index = QLatin1Char('[') + index.join(QStringLiteral(", ")) + QLatin1Char(']');
    worst.expected = anyNumberIn(json, "expected");
    worst.actual = anyNumberIn(json, "actual");
    // Beside NaN the judge tells the largest error of the others.
    worst.error =
        worst.actual && std::isnan(*worst.actual) ? worst.actual : anyNumberIn(json, "relativeError");
    worst.allowed = anyNumberIn(json, "bound");
    worst.round = integerIn(json, "round");
    if (!worst.expected && !worst.actual)
        return std::nullopt;
    return worst;
}

/// Those that the judge's map of a wrong result lists, but for the one that is there.
void addWorstOfMap(std::vector<WorstElement> &list, const OrderedJson &round) {
    for (const OrderedJson &output : memberOf(memberOf(round, "failureMap"), "outputs")) {
        for (OrderedJson entry : memberOf(output, "worst")) {
            if (!entry.is_object())
                continue;
            entry["output"] = memberOf(output, "name");
            entry["round"] = memberOf(round, "index");
            std::optional<WorstElement> worst = readWorst(entry);
            const auto isSame = [&worst](const WorstElement &other) {
                return other.output == worst->output && other.index == worst->index;
            };
            if (!worst || std::any_of(list.begin(), list.end(), isSame))
                continue;
            worst->allowed = numberIn(output, "allowed");
            if (const auto ratio = numberIn(entry, "ratio"); ratio && worst->allowed)
                worst->error = *ratio * *worst->allowed;
            list.push_back(std::move(*worst));
        }
    }
}

/// Sums up what a map counts of each wrong result; none where a result has no counts.
std::optional<double> wrongInMap(const OrderedJson &map) {
    if (!map.is_object() || !stringIn(map, "reason").isEmpty())
        return std::nullopt;
    std::optional<double> sum;
    for (const OrderedJson &output : memberOf(map, "outputs"))
        sum = sum.value_or(0) + numberIn(output, "wrong").value_or(0);
    return sum;
}

VerifyFigures readVerify(const OrderedJson &section) {
    VerifyFigures verify;
    verify.status = statusOf(section);
    verify.seconds = numberIn(section, "seconds");
    const OrderedJson &rounds = memberOf(section, "rounds");
    if (rounds.is_array()) {
        for (const OrderedJson &round : rounds) {
            ++verify.roundsRun;
            verify.roundsPassed += statusOf(round) == StageStatus::Passed ? 1 : 0;
            double elements = 0;
            for (const OrderedJson &output : memberOf(round, "outputs"))
                elements += numberIn(output, "elements").value_or(0);
            if (elements > 0)
                verify.elements = elements;
            if (const std::optional<double> wrong = wrongInMap(memberOf(round, "failureMap")))
                verify.elementsAboveAllowed = wrong;
        }
    }
    const OrderedJson &worst = memberOf(section, "worst");
    if (worst.is_array()) {
        for (const OrderedJson &entry : worst) {
            if (const std::optional<WorstElement> element = readWorst(entry))
                verify.worst.push_back(*element);
        }
    } else if (const std::optional<WorstElement> element = readWorst(worst)) {
        verify.worst.push_back(*element);
    }
    if (rounds.is_array()) {
        for (const OrderedJson &round : rounds)
            addWorstOfMap(verify.worst, round);
    }
    const OrderedJson &workdir = memberOf(section, "workdirCriterion");
    verify.workdirCriterion = statusOf(workdir);
    verify.elementsOutsideWorkdirCriterion = numberIn(workdir, "elementsOutside");
    return verify;
}

/// A number of a block that can be one: charts make room for all up to the last.
bool isBlockNumber(const std::optional<int> &block) {
    return block && *block >= 0 && *block < 100000;
}

std::vector<BlockFigures> readBlocks(const OrderedJson &blocks) {
    std::vector<BlockFigures> read;
    if (!blocks.is_array())
        return read;
    for (const OrderedJson &entry : blocks) {
        const std::optional<double> time = numberIn(entry, "microseconds");
        const std::optional<int> number = integerIn(entry, "block");
        if (time && *time > 0 && isBlockNumber(number))
            read.push_back({*number, stringIn(entry, "arm"), *time, integerIn(entry, "calls"),
                            numberIn(entry, "startSeconds")});
    }
    return read;
}

std::vector<ClockReading> readClock(const OrderedJson &clock) {
    std::vector<ClockReading> read;
    if (!clock.is_array())
        return read;
    for (const OrderedJson &entry : clock) {
        const std::optional<double> megahertz = numberIn(entry, "megahertz");
        const std::optional<int> block = integerIn(entry, "block");
        if (megahertz && isBlockNumber(block))
            read.push_back({*block, stringIn(entry, "arm"), *megahertz, stringIn(entry, "slowedBy")});
    }
    return read;
}

std::vector<ArmFigures> readArms(const OrderedJson &profile) {
    std::vector<ArmFigures> arms;
    for (const char *name : armOrder) {
        if (const std::optional<ArmFigures> arm = readArm(profile, name))
            arms.push_back(*arm);
    }
    return arms;
}

GraphFigures readGraph(const OrderedJson &graph) {
    GraphFigures figures;
    figures.status = statusOf(graph);
    figures.reason = stringIn(graph, "reason");
    figures.arms = readArms(graph);
    figures.eager = speedUpIn(graph, "eager");
    figures.compile = speedUpIn(graph, "compile");
    figures.sameClass = speedUpIn(graph, "sameClass");
    return figures;
}

constexpr int mostSwept = 64; ///< values of one attribute

SweepFigures readSweep(const OrderedJson &sweep) {
    SweepFigures figures;
    if (!sweep.is_object())
        return figures;
    figures.status = statusOf(sweep);
    figures.reason = stringIn(sweep, "reason");
    figures.ratio = numberIn(sweep, "ratio");
    if (const OrderedJson &tried = memberOf(sweep, "tried"); tried.is_array())
        for (const OrderedJson &one : tried) {
            const std::optional<int> value = integerIn(one, "value");
            std::vector<std::optional<double>> &times = figures.tried[stringIn(one, "attribute")];
            if (value && *value >= 0 && *value < mostSwept && *value >= static_cast<int>(times.size()))
                times.resize(static_cast<std::size_t>(*value) + 1);
            if (value && *value >= 0 && *value < mostSwept)
                times[static_cast<std::size_t>(*value)] = numberIn(one, "microseconds");
        }
    if (const OrderedJson &best = memberOf(sweep, "best"); best.is_object())
        for (const auto &[attribute, value] : best.items())
            if (value.is_number_integer())
                figures.best[fromJson(attribute)] = value.get<int>();
    return figures;
}

CertificateFigures readCertificate(const OrderedJson &certificate) {
    CertificateFigures figures;
    figures.status = statusOf(certificate);
    figures.lane = stringIn(certificate, "lane");
    figures.reason = stringIn(certificate, "reason");
    figures.processes = integerIn(certificate, "processes").value_or(0);
    const OrderedJson &again = memberOf(certificate, "sameAgain");
    const OrderedJson &row = memberOf(again, figures.lane == QLatin1String("graph") ? "graph" : "calls");
    const auto value = numberIn(row, "value"), low = numberIn(row, "low"), high = numberIn(row, "high");
    if (value && low && high)
        figures.sameAgain = SpeedUp{*value, *low, *high, stringIn(again, "arm")};
    return figures;
}

} // namespace

QString armLabel(const QString &name) {
    static const std::array<std::pair<const char *, const char *>, 5> labels{
        {{"eagerStrict", "eager strict"},
         {"eagerTf32", "eager TF32"},
         {"compileStrict", "compile strict"},
         {"compileTf32", "compile TF32"},
         {"before", "text before"}}};
    for (const auto &[known, label] : labels) {
        if (name == QLatin1String(known))
            return QLatin1String(label);
    }
    return name;
}

QString ArmFigures::storedText() const {
    if (isLive)
        return {};
    if (isDerived)
        return QStringLiteral("its own time was not recorded: the candidate's times the recorded speed-up");
    return drift ? QStringLiteral("stored earlier, × %1 for the live arm's drift").arg(numberText(*drift, 3))
                 : QStringLiteral("stored earlier, times the live arm's drift");
}

bool WorstElement::operator==(const WorstElement &other) const {
    return output == other.output && index == other.index && areSame(expected, other.expected) &&
           areSame(actual, other.actual) && areSame(error, other.error) && areSame(allowed, other.allowed) &&
           round == other.round;
}

std::optional<double> WorstElement::errorOverAllowed() const {
    if (!error || !allowed || !(*allowed > 0))
        return std::nullopt;
    return *error / *allowed;
}

const ArmFigures *MeasuredFigures::arm(const QString &name) const {
    const auto found =
        std::find_if(arms.begin(), arms.end(), [&name](const ArmFigures &arm) { return arm.name == name; });
    return found == arms.end() ? nullptr : &*found;
}

std::optional<SpeedUp> MeasuredFigures::speedUpOver(const QString &name) const {
    for (const std::optional<SpeedUp> &speedUp : {eager, compile, sameClass}) {
        if (speedUp && speedUp->arm == name)
            return speedUp;
    }
    return std::nullopt;
}

std::optional<MeasuredFigures::Share> MeasuredFigures::shareOfLight() const {
    const ArmFigures *measured = candidate();
    if (measured == nullptr || !speedOfLightMicroseconds || !(measured->lowMicroseconds > 0))
        return std::nullopt;
    const double light = *speedOfLightMicroseconds;
    return Share{light / measured->medianMicroseconds, light / measured->highMicroseconds,
                 light / measured->lowMicroseconds};
}

MeasuredFigures measuredFigures(const Evaluation &evaluation) {
    const OrderedJson &profile = evaluation.profile;
    MeasuredFigures figures;
    figures.id = evaluation.id;
    figures.workspace = stringIn(evaluation.workspace, "name");
    figures.verdict = evaluation.verdict;
    figures.reason = evaluation.message.why.isEmpty() ? evaluation.message.what : evaluation.message.why;
    figures.startedAt = evaluation.startedAt;
    figures.tier = evaluation.tier;
    figures.profile = statusOf(profile);
    figures.profileSeconds = numberIn(profile, "seconds");
    figures.arms = readArms(profile);
    if (!figures.arms.empty()) {
        const ArmFigures &guide = figures.arms.back();
        figures.times = timeScaleOf(guide.medianMicroseconds, guide.lowMicroseconds, guide.highMicroseconds);
    }
    figures.eager = speedUpIn(profile, "eager");
    figures.compile = speedUpIn(profile, "compile");
    figures.sameClass = speedUpIn(profile, "sameClass");
    figures.graph = readGraph(memberOf(profile, "graph"));
    figures.sweep = readSweep(memberOf(profile, "sweep"));
    figures.certificate = readCertificate(memberOf(profile, "certificate"));
    figures.speedOfLightMicroseconds = numberIn(profile, "speedOfLightMicroseconds");
    figures.reward = evaluation.reward;
    figures.precision = evaluation.precisionMeasured;
    if (const auto sandbox = evaluation.integrity.find("wall");
        evaluation.integrity.is_object() && sandbox != evaluation.integrity.end() && sandbox->is_object()) {
        figures.sandbox = stringIn(*sandbox, "kind");
        figures.sandboxLacks = stringsIn(sandbox->value("lacks", OrderedJson::array()));
    }
    figures.device = readDevice(evaluation.device);
    figures.task = readTask(evaluation, figures.device);
    figures.verify = readVerify(evaluation.verify);
    figures.blocks = readBlocks(memberOf(profile, "blocks"));
    figures.clock = readClock(memberOf(profile, "clock"));
    figures.kernels = evaluation.compile.kernels;
    const OrderedJson &method = memberOf(profile, "method");
    figures.method = method.is_string() ? fromJson(method.get<std::string>()) : stringIn(method, "text");
    figures.doubts = evaluation.doubts;
    for (const Diagnostic &line : findingLines(evaluation.integrity))
        figures.findings << line.message;
    figures.sanitizers = evaluation.sanitizers;
    return figures;
}

MeasuredFigures asGraph(const MeasuredFigures &figures) {
    MeasuredFigures graph = figures;
    graph.arms = figures.graph.arms;
    graph.eager = figures.graph.eager;
    graph.compile = figures.graph.compile;
    graph.sameClass = figures.graph.sameClass;
    graph.blocks.clear();
    if (!graph.arms.empty()) {
        const ArmFigures &guide = graph.arms.back();
        graph.times = timeScaleOf(guide.medianMicroseconds, guide.lowMicroseconds, guide.highMicroseconds);
    }
    return graph;
}

MeasuredFigures headlineFigures(const MeasuredFigures &figures) {
    return figures.certificate.isOfGraph() ? asGraph(figures) : figures;
}

std::optional<SpeedUp> overTheBetter(const std::optional<SpeedUp> &eager,
                                     const std::optional<SpeedUp> &compile) {
    if (!eager || !compile)
        return eager ? eager : compile;
    return eager->value < compile->value ? eager : compile;
}

bool isMuchSlower(const std::optional<SpeedUp> &overBetter) {
    return overBetter && overBetter->high > 0 && overBetter->high * muchSlower < 1;
}

} // namespace warpwright
