// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/timeline/timeline.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

using Kind = TimelineEvent::Kind;

constexpr std::size_t mostEvents = 100'000;
constexpr int mostName = 4000;

constexpr std::pair<Kind, const char *> kinds[] = {
    {Kind::Kernel, "kernel"}, {Kind::Memcpy, "memcpy"}, {Kind::Memset, "memset"}, {Kind::Wait, "wait"},
    {Kind::Launch, "launch"}, {Kind::Graph, "graph"},   {Kind::Sync, "sync"},     {Kind::Runtime, "runtime"},
    {Kind::Operator, "op"},   {Kind::Region, "region"},
};

std::optional<double> numberIn(const Json &object, const char *key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number())
        return {};
    const double number = found->get<double>();
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

double positiveIn(const Json &object, const char *key) {
    const double number = numberIn(object, key).value_or(0);
    return number > 0 && number < 1e15 ? number : 0;
}

std::optional<int> intIn(const Json &object, const char *key) {
    const auto number = numberIn(object, key);
    return number && std::abs(*number) < 2e9 ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

qint64 longIn(const Json &object, const char *key) {
    const double number = numberIn(object, key).value_or(0);
    return std::abs(number) < 9e15 ? static_cast<qint64>(number) : 0;
}

bool truthIn(const Json &object, const char *key, bool otherwise) {
    const auto found = object.find(key);
    return found != object.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}

std::array<int, 3> sizesIn(const Json &object, const char *key) {
    std::array<int, 3> sizes{};
    const auto found = object.find(key);
    if (found == object.end() || !found->is_array() || found->size() != 3)
        return sizes;
    for (std::size_t i = 0; i < 3; ++i)
        if ((*found)[i].is_number_unsigned())
            sizes[i] = static_cast<int>(std::min<quint64>((*found)[i].get<quint64>(), 2147483647));
    return sizes;
}

template <typename Value>
void put(OrderedJson &json, const char *key, const std::optional<Value> &value) {
    if (value)
        json[key] = *value;
}

template <typename Value>
void putKnown(OrderedJson &json, const char *key, const Value &value) {
    if (value != Value{})
        json[key] = value;
}

OrderedJson jsonOf(const TimelineEvent &event) {
    OrderedJson json;
    for (const auto &[kind, name] : kinds)
        if (event.kind == kind)
            json["kind"] = name;
    json["name"] = toJson(event.name);
    json["startUs"] = event.startUs;
    json["durationUs"] = event.durationUs;
    put(json, "lowUs", event.lowUs);
    put(json, "highUs", event.highUs);
    put(json, "stream", event.stream);
    put(json, "forStream", event.forStream);
    putKnown(json, "correlation", event.correlation);
    putKnown(json, "thread", event.thread);
    putKnown(json, "graph", event.graph);
    putKnown(json, "grid", event.grid);
    putKnown(json, "block", event.block);
    put(json, "registers", event.registers);
    put(json, "sharedBytes", event.sharedBytes);
    put(json, "bytes", event.bytes);
    putKnown(json, "threads", event.threads);
    putKnown(json, "busyUs", event.busyUs);
    putKnown(json, "longestUs", event.longestUs);
    return json;
}

std::optional<TimelineEvent> eventFrom(const Json &json) {
    TimelineEvent event;
    const QString name = stringIn(json, "kind");
    const auto kind = std::find_if(std::begin(kinds), std::end(kinds), [&name](const auto &known) {
        return name == QLatin1String(known.second);
    });
    const auto start = json.is_object() ? numberIn(json, "startUs") : std::nullopt;
    const auto duration = json.is_object() ? numberIn(json, "durationUs") : std::nullopt;
    if (kind == std::end(kinds) || !start || !duration || *duration < 0 || std::abs(*start) > 1e12 ||
        *duration > 1e12)
        return {};
    event.kind = kind->first;
    event.name = stringIn(json, "name").left(mostName);
    event.startUs = *start;
    event.durationUs = *duration;
    event.lowUs = numberIn(json, "lowUs");
    event.highUs = numberIn(json, "highUs");
    event.stream = intIn(json, "stream");
    event.forStream = intIn(json, "forStream");
    event.correlation = longIn(json, "correlation");
    event.thread = longIn(json, "thread");
    event.graph = longIn(json, "graph");
    event.grid = sizesIn(json, "grid");
    event.block = sizesIn(json, "block");
    event.registers = intIn(json, "registers");
    event.sharedBytes = numberIn(json, "sharedBytes");
    event.bytes = numberIn(json, "bytes");
    event.threads = std::max(0, intIn(json, "threads").value_or(0));
    event.busyUs = positiveIn(json, "busyUs");
    event.longestUs = positiveIn(json, "longestUs");
    return event;
}

OrderedJson jsonOf(const TimelineArm &arm) {
    OrderedJson json;
    json["name"] = toJson(arm.name);
    json["problem"] = toJson(arm.problem);
    json["notes"] = stringsToJson<OrderedJson>(arm.notes);
    json["untracedUs"] = arm.untracedMicroseconds;
    json["shown"] = arm.shown;
    OrderedJson calls = OrderedJson::array();
    for (const TracedCall &call : arm.calls)
        calls.push_back(
            {{"us", call.microseconds}, {"overheadUs", call.overheadMicroseconds}, {"steps", call.steps}});
    json["calls"] = std::move(calls);
    json["isSameEachTime"] = arm.isSameEachTime;
    OrderedJson events = OrderedJson::array();
    for (const TimelineEvent &event : arm.events)
        events.push_back(jsonOf(event));
    json["events"] = std::move(events);
    json["eventsLeftOut"] = arm.eventsLeftOut;
    return json;
}

template <typename Take>
void forEachIn(const Json &object, const char *key, Take take) {
    const auto found = object.find(key);
    if (found != object.end() && found->is_array())
        for (const Json &entry : *found)
            take(entry);
}

TimelineArm armFrom(const Json &json) {
    TimelineArm arm;
    arm.name = stringIn(json, "name").left(100);
    arm.problem = stringIn(json, "problem").left(mostName);
    if (const auto found = json.find("notes"); found != json.end())
        arm.notes = stringsIn(*found).mid(0, 20);
    forEachIn(json, "untracedUs", [&arm](const Json &value) {
        if (value.is_number() && value.get<double>() > 0 && value.get<double>() < 1e12)
            arm.untracedMicroseconds.push_back(value.get<double>());
    });
    forEachIn(json, "calls", [&arm](const Json &value) {
        if (value.is_object())
            arm.calls.push_back({positiveIn(value, "us"), positiveIn(value, "overheadUs"),
                                 std::max(0, intIn(value, "steps").value_or(0))});
    });
    arm.shown = static_cast<std::size_t>(std::max(0, intIn(json, "shown").value_or(0)));
    if (arm.shown >= arm.calls.size())
        arm.shown = 0;
    arm.isSameEachTime = truthIn(json, "isSameEachTime", true);
    arm.eventsLeftOut = std::max(0, intIn(json, "eventsLeftOut").value_or(0));
    forEachIn(json, "events", [&arm](const Json &value) {
        if (arm.events.size() == mostEvents)
            ++arm.eventsLeftOut;
        else if (auto event = eventFrom(value))
            arm.events.push_back(std::move(*event));
    });
    std::stable_sort(
        arm.events.begin(), arm.events.end(),
        [](const TimelineEvent &one, const TimelineEvent &other) { return one.startUs < other.startUs; });
    return arm;
}

void readTrace(const Json &document, Timeline &timeline) {
    timeline.tool = stringIn(document, "tool").left(200);
    if (const auto device = document.find("device"); device != document.end() && device->is_object()) {
        timeline.isOnCpu = stringIn(*device, "kind") == QLatin1String("cpu");
        timeline.device = stringIn(*device, "name").left(200);
        timeline.computeCapability = stringIn(*device, "computeCapability").left(20);
        timeline.multiprocessors = std::max(0, intIn(*device, "multiprocessors").value_or(0));
        timeline.threads = std::max(0, intIn(*device, "threads").value_or(0));
    }
    forEachIn(document, "arms", [&timeline](const Json &arm) {
        if (arm.is_object() && timeline.arms.size() < 20)
            timeline.arms.push_back(armFrom(arm));
    });
    if (const auto found = document.find("problems"); found != document.end())
        timeline.problems = stringsIn(*found);
}

} // namespace

OrderedJson toJson(const Timeline &timeline) {
    OrderedJson json;
    json["schema"] = timelineFormat;
    json["id"] = toJson(timeline.id);
    json["at"] = toJson(timeline.at.toUTC().toString(Qt::ISODateWithMs));
    json["program"] = toJson(timeline.program);
    json["tool"] = toJson(timeline.tool);
    json["of"] = {{"workspace", toJson(timeline.workspace)},
                  {"textHash", toJson(timeline.textHash)},
                  {"iteration", timeline.iteration},
                  {"evaluation", toJson(timeline.evaluation)}};
    json["device"] = {{"kind", timeline.isOnCpu ? "cpu" : "cuda"},
                      {"name", toJson(timeline.device)},
                      {"computeCapability", toJson(timeline.computeCapability)},
                      {"multiprocessors", timeline.multiprocessors},
                      {"threads", timeline.threads}};
    OrderedJson arms = OrderedJson::array();
    for (const TimelineArm &arm : timeline.arms)
        arms.push_back(jsonOf(arm));
    json["arms"] = std::move(arms);
    json["problems"] = stringsToJson<OrderedJson>(timeline.problems);
    return json;
}

Result<Timeline> timelineFromJson(const Json &document) {
    if (!document.is_object() || stringIn(document, "schema") != QLatin1String(timelineFormat))
        return Result<Timeline>::error(
            QStringLiteral("it is no timeline: its schema is \"%1\" and not \"%2\"")
                .arg(stringIn(document, "schema").left(100), QLatin1String(timelineFormat)));
    Timeline timeline;
    readTrace(document, timeline);
    timeline.id = stringIn(document, "id");
    timeline.at = QDateTime::fromString(stringIn(document, "at"), Qt::ISODateWithMs);
    timeline.program = stringIn(document, "program");
    if (const auto of = document.find("of"); of != document.end() && of->is_object()) {
        timeline.workspace = stringIn(*of, "workspace");
        timeline.textHash = stringIn(*of, "textHash");
        timeline.iteration = intIn(*of, "iteration").value_or(0);
        timeline.evaluation = stringIn(*of, "evaluation");
    }
    return Result<Timeline>::ok(std::move(timeline));
}

Result<Timeline> timelineFromTrace(const Json &trace) {
    if (!trace.is_object() || !trace.contains("arms") || !trace["arms"].is_array())
        return Result<Timeline>::error(QStringLiteral("the process that traces wrote no arms"));
    Timeline timeline;
    readTrace(trace, timeline);
    return Result<Timeline>::ok(std::move(timeline));
}

} // namespace warpwright
