// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/counters/counters.h"

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

CounterValue valueFrom(const Json &pair) {
    CounterValue value;
    if (!pair.is_array() || pair.empty())
        return value;
    value.number = numberOf(pair[0]);
    if (pair[0].is_string())
        value.text = fromJson(pair[0].get<std::string>());
    if (pair.size() > 1 && pair[1].is_string())
        value.unit = fromJson(pair[1].get<std::string>());
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

std::map<QString, double> valuesIn(const Json &object, const char *key) {
    std::map<QString, double> values;
    const auto found = object.find(key);
    if (found != object.end() && found->is_object())
        for (const auto &[name, value] : found->items())
            if (const auto number = numberOf(value))
                values[fromJson(name)] = *number;
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

InstructionCounters instructionFrom(const Json &json) {
    InstructionCounters instruction;
    const double address = numberIn(json, "address");
    if (address > 0 && address < 1e15)
        instruction.address = static_cast<quint64>(address);
    instruction.text = stringIn(json, "sass");
    instruction.line = std::max(0, intIn(json, "line"));
    if (instruction.line > 0)
        instruction.file = stringIn(json, "file");
    instruction.values = valuesIn(json, "values");
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

KernelCounters kernelFrom(const Json &json) {
    KernelCounters kernel;
    kernel.arm = stringIn(json, "arm", QStringLiteral("imported"));
    kernel.name = stringIn(json, "name");
    kernel.function = stringIn(json, "function");
    kernel.mangled = stringIn(json, "mangled");
    kernel.launch = intIn(json, "launch");
    kernel.grid = sizesIn(json, "grid");
    kernel.block = sizesIn(json, "block");
    if (const auto found = json.find("metrics"); found != json.end() && found->is_object())
        for (const auto &[name, value] : found->items())
            kernel.metrics[fromJson(name)] = valueFrom(value);
    kernel.opcodes = valuesIn(json, "opcodes");
    if (const auto found = json.find("rules"); found != json.end() && found->is_array())
        for (const Json &rule : *found)
            kernel.rules.push_back(ruleFrom(rule));
    if (const auto found = json.find("instructions"); found != json.end() && found->is_array())
        for (const Json &instruction : *found)
            kernel.instructions.push_back(instructionFrom(instruction));
    return kernel;
}

} // namespace

OrderedJson toJson(const Counters &counters) {
    OrderedJson json;
    json["schema"] = countersFormat;
    json["id"] = toJson(counters.id);
    json["at"] = toJson(counters.at.toUTC().toString(Qt::ISODateWithMs));
    json["program"] = toJson(counters.program);
    json["report"] = {{"file", toJson(counters.report)}, {"bytes", counters.reportBytes},
                      {"tool", toJson(counters.tool)},   {"readBy", toJson(counters.readBy)},
                      {"set", toJson(counters.set)},     {"collectSeconds", counters.collectSeconds}};
    json["of"] = {{"workspace", toJson(counters.workspace)},
                  {"textHash", toJson(counters.textHash)},
                  {"iteration", counters.iteration},
                  {"evaluation", toJson(counters.evaluation)}};
    json["device"] = {{"name", toJson(counters.device)},
                      {"computeCapability", toJson(counters.computeCapability)},
                      {"multiprocessors", counters.multiprocessors}};
    OrderedJson kernels = OrderedJson::array();
    for (const KernelCounters &kernel : counters.kernels)
        kernels.push_back(jsonOf(kernel));
    json["kernels"] = std::move(kernels);
    OrderedJson sources = OrderedJson::object();
    for (const auto &[file, text] : counters.sources)
        sources[toJson(file)] = toJson(text);
    json["sources"] = std::move(sources);
    json["hasSelectedMetrics"] = counters.hasSelectedMetrics;
    json["launchesLeftOut"] = counters.launchesLeftOut;
    json["isWholeCall"] = counters.isWholeCall;
    json["problems"] = stringsToJson<OrderedJson>(counters.problems);
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
    const Json of = part("of");
    counters.workspace = stringIn(of, "workspace");
    counters.textHash = stringIn(of, "textHash");
    counters.iteration = intIn(of, "iteration");
    counters.evaluation = stringIn(of, "evaluation");
    const Json device = part("device");
    counters.device = stringIn(device, "name");
    counters.computeCapability = stringIn(device, "computeCapability");
    counters.multiprocessors = intIn(device, "multiprocessors");
    if (const auto found = document.find("kernels"); found != document.end() && found->is_array())
        for (const Json &kernel : *found)
            if (kernel.is_object())
                counters.kernels.push_back(kernelFrom(kernel));
    for (const Json sources = part("sources"); const auto &[file, text] : sources.items())
        if (text.is_string())
            counters.sources[fromJson(file)] = fromJson(text.get<std::string>());
    counters.hasSelectedMetrics = document.value("hasSelectedMetrics", Json(false)) == Json(true);
    counters.launchesLeftOut = intIn(document, "launchesLeftOut");
    counters.isWholeCall = document.value("isWholeCall", Json(true)) != Json(false);
    if (const auto found = document.find("problems"); found != document.end())
        counters.problems = stringsIn(*found);
    return Result<Counters>::ok(std::move(counters));
}

} // namespace warpwright
