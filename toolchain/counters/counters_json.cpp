// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/counters/launch_json.h"
#include "toolchain/tool_output/listed_source.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr std::pair<CounterRule::Kind, const char *> ruleKinds[] = {
    {CounterRule::Kind::None, "none"},
    {CounterRule::Kind::Note, "note"},
    {CounterRule::Kind::Optimization, "optimization"},
    {CounterRule::Kind::Warning, "warning"},
    {CounterRule::Kind::Error, "error"},
};

template <typename AnyJson>
std::optional<double> numberOf(const AnyJson &value) {
    if (!value.is_number())
        return {};
    const double number = value.template get<double>();
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

double numberIn(const Json &object, const char *key) {
    const auto found = object.find(key);
    return found == object.end() ? 0 : numberOf(*found).value_or(0);
}

int intIn(const Json &object, const char *key) {
    const double number = numberIn(object, key);
    return std::abs(number) < 2e9 ? static_cast<int>(number) : 0;
}

std::array<int, 3> sizesIn(const Json &object, const char *key) {
    std::array<int, 3> sizes{};
    const auto found = object.find(key);
    if (found != object.end() && found->is_array())
        for (std::size_t i = 0; i < std::min<std::size_t>(3, found->size()); ++i)
            if (const auto number = numberOf((*found)[i]); number && *number >= 0 && *number < 2.2e9)
                sizes[i] = static_cast<int>(std::min(*number, 2147483647.0));
    return sizes;
}

OrderedJson jsonOf(const CounterValue &value) {
    OrderedJson pair = OrderedJson::array();
    if (value.number)
        pair.push_back(*value.number);
    else if (!value.text.isEmpty())
        pair.push_back(toJson(value.text));
    else
        pair.push_back(nullptr);
    pair.push_back(toJson(value.unit));
    return pair;
}

CounterValue valueFrom(const Json &pair, SharedTexts &texts) {
    CounterValue value;
    if (!pair.is_array() || pair.empty())
        return value;
    value.number = numberOf(pair[0]);
    if (pair[0].is_string())
        value.text = fromJson(pair[0].get<std::string>());
    if (pair.size() > 1 && pair[1].is_string())
        value.unit = texts.of(pair[1].get_ref<const std::string &>());
    return value;
}

OrderedJson jsonOf(const CounterRule &rule) {
    OrderedJson json;
    json["id"] = toJson(rule.id);
    json["name"] = toJson(rule.name);
    json["section"] = toJson(rule.section);
    json["title"] = toJson(rule.title);
    json["message"] = toJson(rule.message);
    for (const auto &[kind, name] : ruleKinds)
        if (rule.kind == kind)
            json["kind"] = name;
    if (rule.speedupPercent) {
        json["speedupPercent"] = *rule.speedupPercent;
        json["speedupOf"] = rule.isGlobal ? "kernel" : "part";
    }
    return json;
}

CounterRule ruleFrom(const Json &json) {
    CounterRule rule;
    rule.id = stringIn(json, "id");
    rule.name = stringIn(json, "name");
    rule.section = stringIn(json, "section");
    rule.title = stringIn(json, "title");
    rule.message = stringIn(json, "message");
    for (const auto &[kind, name] : ruleKinds)
        if (stringIn(json, "kind") == QLatin1String(name))
            rule.kind = kind;
    if (json.contains("speedupPercent"))
        rule.speedupPercent = numberOf(json["speedupPercent"]);
    rule.isGlobal = stringIn(json, "speedupOf") == QLatin1String("kernel");
    return rule;
}

OrderedJson jsonOf(const std::map<QString, double> &values) {
    OrderedJson json = OrderedJson::object();
    for (const auto &[name, value] : values)
        json[toJson(name)] = value;
    return json;
}

std::map<QString, double> valuesIn(const Json &object, const char *key, SharedTexts &texts) {
    std::map<QString, double> values;
    const auto found = object.find(key);
    if (found != object.end() && found->is_object())
        for (const auto &[name, value] : found->items())
            if (const auto number = numberOf(value))
                values[texts.of(name)] = *number;
    return values;
}

OrderedJson jsonOf(const InstructionCounters &instruction) {
    OrderedJson json;
    json["address"] = instruction.address;
    if (!instruction.text.isEmpty())
        json["sass"] = toJson(instruction.text);
    if (instruction.line > 0) {
        json["file"] = toJson(instruction.file);
        json["line"] = instruction.line;
    }
    json["values"] = jsonOf(instruction.values);
    return json;
}

/// The profiler has the names of sources from the line table.
std::string sourceOf(const std::string &name) {
    return name.find('\\') == std::string::npos
               ? name
               : listedSource(QByteArrayView(name.data(), static_cast<qsizetype>(name.size()))).toStdString();
}

InstructionCounters instructionFrom(const Json &json, SharedTexts &texts) {
    InstructionCounters instruction;
    const double address = numberIn(json, "address");
    if (address > 0 && address < 1e15)
        instruction.address = static_cast<quint64>(address);
    instruction.text = stringIn(json, "sass");
    instruction.line = std::max(0, intIn(json, "line"));
    if (instruction.line > 0)
        if (const auto file = json.find("file"); file != json.end() && file->is_string())
            instruction.file = texts.of(sourceOf(file->get_ref<const std::string &>()));
    instruction.values = valuesIn(json, "values", texts);
    return instruction;
}

OrderedJson jsonOf(const KernelCounters &kernel) {
    OrderedJson json;
    json["arm"] = toJson(kernel.arm);
    json["name"] = toJson(kernel.name);
    json["function"] = toJson(kernel.function);
    json["mangled"] = toJson(kernel.mangled);
    json["launch"] = kernel.launch;
    json["grid"] = kernel.grid;
    json["block"] = kernel.block;
    if (kernel.isBrief)
        json["brief"] = true;
    OrderedJson metrics = OrderedJson::object();
    for (const auto &[name, value] : kernel.metrics)
        metrics[toJson(name)] = jsonOf(value);
    json["metrics"] = std::move(metrics);
    json["opcodes"] = jsonOf(kernel.opcodes);
    OrderedJson rules = OrderedJson::array();
    for (const CounterRule &rule : kernel.rules)
        rules.push_back(jsonOf(rule));
    json["rules"] = std::move(rules);
    OrderedJson instructions = OrderedJson::array();
    for (const InstructionCounters &instruction : kernel.instructions)
        instructions.push_back(jsonOf(instruction));
    json["instructions"] = std::move(instructions);
    return json;
}

OrderedJson jsonOf(const std::vector<LeftOutLaunches> &leftOut) {
    OrderedJson json = OrderedJson::array();
    for (const LeftOutLaunches &kernel : leftOut)
        json.push_back({{"name", toJson(kernel.name)},
                        {"function", toJson(kernel.function)},
                        {"microseconds", kernel.microseconds}});
    return json;
}

std::vector<LeftOutLaunches> leftOutIn(const Json &document) {
    std::vector<LeftOutLaunches> kernels;
    const auto found = document.find("leftOut");
    if (found == document.end() || !found->is_array())
        return kernels;
    for (const Json &kernel : *found) {
        if (!kernel.is_object())
            continue;
        LeftOutLaunches launches{stringIn(kernel, "name"), stringIn(kernel, "function"), {}};
        if (const auto times = kernel.find("microseconds"); times != kernel.end() && times->is_array())
            for (const Json &time : *times)
                launches.microseconds.push_back(std::max(0.0, numberOf(time).value_or(0)));
        kernels.push_back(std::move(launches));
    }
    return kernels;
}

constexpr double mostCounted = 1e15;
constexpr double mostOfMetric = 1e30;

/// Whether no hardware counts so: below zero, or beyond what is exact in a double.
bool isSenseless(const std::map<QString, double> &counts) {
    return std::any_of(counts.begin(), counts.end(),
                       [](const auto &count) { return count.second < 0 || count.second > mostCounted; });
}

/// The part of a launch whose numbers cannot be; empty: there is none. Whoever sums up would carry them on.
QString senselessPart(const KernelCounters &launch) {
    for (const InstructionCounters &instruction : launch.instructions)
        if (isSenseless(instruction.values))
            return QStringLiteral("instruction at 0x%1").arg(instruction.address, 0, 16);
    if (isSenseless(launch.opcodes))
        return QStringLiteral("counts of opcodes");
    for (const auto &[name, value] : launch.metrics)
        if (value.number && std::abs(*value.number) > mostOfMetric)
            return QStringLiteral("metric %1").arg(name);
    return launch.microseconds().value_or(0) < 0 ? QStringLiteral("duration") : QString();
}

} // namespace

QString SharedTexts::of(const std::string &text) {
    const auto [found, isNew] = m_texts.try_emplace(text);
    if (isNew)
        found->second = fromJson(text);
    return found->second;
}

KernelCounters launchFromJson(const Json &json, SharedTexts &texts) {
    KernelCounters kernel;
    const auto text = [&](const char *key) {
        const auto found = json.find(key);
        return found != json.end() && found->is_string() ? texts.of(found->get_ref<const std::string &>())
                                                         : QString();
    };
    kernel.arm = stringIn(json, "arm", QStringLiteral("imported"));
    kernel.name = text("name");
    kernel.function = text("function");
    kernel.mangled = text("mangled");
    kernel.launch = intIn(json, "launch");
    kernel.grid = sizesIn(json, "grid");
    kernel.block = sizesIn(json, "block");
    kernel.isBrief = json.value("brief", Json(false)) == Json(true);
    if (const auto found = json.find("metrics"); found != json.end() && found->is_object())
        for (const auto &[name, value] : found->items())
            kernel.metrics[texts.of(name)] = valueFrom(value, texts);
    kernel.opcodes = valuesIn(json, "opcodes", texts);
    if (const auto found = json.find("rules"); found != json.end() && found->is_array())
        for (const Json &rule : *found)
            kernel.rules.push_back(ruleFrom(rule));
    if (const auto found = json.find("instructions"); found != json.end() && found->is_array())
        for (const Json &instruction : *found)
            kernel.instructions.push_back(instructionFrom(instruction, texts));
    return kernel;
}

OrderedJson toJson(const Counters &counters) {
    OrderedJson json;
    json["schema"] = countersFormat;
    json["id"] = toJson(counters.id);
    json["at"] = toJson(counters.at.toUTC().toString(Qt::ISODateWithMs));
    json["program"] = toJson(counters.program);
    json["report"] = {{"file", toJson(counters.report)}, {"bytes", counters.reportBytes},
                      {"tool", toJson(counters.tool)},   {"readBy", toJson(counters.readBy)},
                      {"set", toJson(counters.set)},     {"collectSeconds", counters.collectSeconds}};
    if (!counters.importedFrom.isEmpty())
        json["imported"] = {
            {"file", toJson(counters.importedFrom)},
            {"fileTime", toJson(counters.importedFileTime.toUTC().toString(Qt::ISODateWithMs))}};
    json["of"] = {{"workspace", toJson(counters.workspace)},
                  {"textHash", toJson(counters.textHash)},
                  {"iteration", counters.iteration},
                  {"evaluation", toJson(counters.evaluation)}};
    json["device"] = {{"name", toJson(counters.device)},
                      {"computeCapability", toJson(counters.computeCapability)},
                      {"multiprocessors", counters.multiprocessors}};
    // What is missing stands before what is there.
    json["hasSelectedMetrics"] = counters.hasSelectedMetrics;
    json["launchesLeftOut"] = counters.launchesLeftOut;
    json["isWholeCall"] = counters.isWholeCall;
    json["problems"] = stringsToJson<OrderedJson>(counters.problems);
    if (!counters.leftOut.empty())
        json["leftOut"] = jsonOf(counters.leftOut);
    OrderedJson kernels = OrderedJson::array();
    for (const KernelCounters &kernel : counters.kernels)
        kernels.push_back(jsonOf(kernel));
    json["kernels"] = std::move(kernels);
    OrderedJson sources = OrderedJson::object();
    for (const auto &[file, text] : counters.sources)
        sources[toJson(file)] = toJson(text);
    json["sources"] = std::move(sources);
    return json;
}

Result<Counters> countersFromJson(const Json &document) {
    if (!document.is_object() || stringIn(document, "schema") != QLatin1String(countersFormat))
        return Result<Counters>::error(
            QStringLiteral("it is no document of counters: its schema is \"%1\" and not \"%2\"")
                .arg(stringIn(document, "schema"), QLatin1String(countersFormat)));
    const auto part = [&document](const char *key) {
        const auto found = document.find(key);
        return found != document.end() && found->is_object() ? *found : Json::object();
    };
    Counters counters;
    counters.id = stringIn(document, "id");
    counters.at = QDateTime::fromString(stringIn(document, "at"), Qt::ISODateWithMs);
    counters.program = stringIn(document, "program");
    const Json report = part("report");
    counters.report = stringIn(report, "file");
    counters.reportBytes = static_cast<qint64>(numberIn(report, "bytes"));
    counters.tool = stringIn(report, "tool");
    counters.readBy = stringIn(report, "readBy");
    counters.set = stringIn(report, "set");
    counters.collectSeconds = numberIn(report, "collectSeconds");
    const Json imported = part("imported");
    counters.importedFrom = stringIn(imported, "file");
    counters.importedFileTime = QDateTime::fromString(stringIn(imported, "fileTime"), Qt::ISODateWithMs);
    const Json of = part("of");
    counters.workspace = stringIn(of, "workspace");
    counters.textHash = stringIn(of, "textHash");
    counters.iteration = intIn(of, "iteration");
    counters.evaluation = stringIn(of, "evaluation");
    const Json device = part("device");
    counters.device = stringIn(device, "name");
    counters.computeCapability = stringIn(device, "computeCapability");
    counters.multiprocessors = intIn(device, "multiprocessors");
    SharedTexts texts;
    if (const auto found = document.find("kernels"); found != document.end() && found->is_array())
        for (const Json &kernel : *found)
            if (kernel.is_object())
                counters.kernels.push_back(launchFromJson(kernel, texts));
    for (const KernelCounters &launch : counters.kernels)
        if (const QString wrong = senselessPart(launch); !wrong.isEmpty())
            return Result<Counters>::error(QStringLiteral("a number of launch %1 of \"%2\" cannot be: %3")
                                               .arg(launch.launch + 1)
                                               .arg(launch.name, wrong));
    for (const Json sources = part("sources"); const auto &[file, text] : sources.items())
        if (text.is_string())
            counters.sources[fromJson(sourceOf(file))] = fromJson(text.get<std::string>());
    counters.hasSelectedMetrics = document.value("hasSelectedMetrics", Json(false)) == Json(true);
    counters.launchesLeftOut = intIn(document, "launchesLeftOut");
    counters.leftOut = leftOutIn(document);
    counters.isWholeCall = document.value("isWholeCall", Json(true)) != Json(false);
    if (const auto found = document.find("problems"); found != document.end())
        counters.problems = stringsIn(*found);
    return Result<Counters>::ok(std::move(counters));
}

} // namespace warpwright
