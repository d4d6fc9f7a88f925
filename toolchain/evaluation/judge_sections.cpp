// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/evaluation/judge_sections.h"

#include <array>
#include <cmath>
#include <initializer_list>

namespace warpwright {
namespace {

constexpr std::array armNames{"eager",     "compile",     "eagerStrict", "compileStrict",
                              "eagerTf32", "compileTf32", "candidate"};
constexpr std::array speedUpNames{"eager", "compile", "sameClass"};

// The skeleton's keys first, in its order; then what else the judge said, sorted (Json sorts its keys).
OrderedJson inOrder(OrderedJson skeleton, const Json &values) {
    if (values.is_object()) {
        for (const auto &[key, value] : values.items())
            skeleton[key] = OrderedJson(value);
    }
    return skeleton;
}

Json without(Json reply, std::initializer_list<const char *> keys) {
    if (!reply.is_object())
        return Json::object();
    for (const char *key : keys)
        reply.erase(key);
    return reply;
}

template <typename Names>
OrderedJson allNull(const Names &names) {
    OrderedJson rows = OrderedJson::object();
    for (const char *name : names)
        rows[name] = nullptr;
    return rows;
}

const Json &member(const Json &object, const char *key) {
    static const Json nothing;
    if (!object.is_object())
        return nothing;
    const auto found = object.find(key);
    return found == object.end() ? nothing : *found;
}

std::optional<double> number(const OrderedJson &object, const char *key) {
    if (!object.is_object() || !object.contains(key) || !object[key].is_number())
        return std::nullopt;
    return object[key].get<double>();
}

// The row `name` of the table `table`, or null.
OrderedJson row(const OrderedJson &profile, const char *table, const char *name) {
    if (!profile.is_object() || !profile.contains(table) || !profile[table].is_object() ||
        !profile[table].contains(name) || !profile[table][name].is_object())
        return nullptr;
    return profile[table][name];
}

} // namespace

OrderedJson taskSection(const QString &name, const Json &openReply) {
    OrderedJson skeleton{{"name", nullptr},         {"flops", nullptr},        {"bytes", nullptr},
                         {"method", nullptr},       {"inputs", Json::array()}, {"parameters", nullptr},
                         {"outputs", Json::array()}};
    OrderedJson section = inOrder(std::move(skeleton), member(openReply, "task"));
    if (!name.isEmpty())
        section["name"] = name.toStdString();
    return section;
}

OrderedJson verifySection(const Json &verifyReply) {
    OrderedJson skeleton{{"status", "not-run"},
                         {"seconds", nullptr},
                         {"rounds", Json::array()},
                         {"worst", nullptr},
                         {"workdirCriterion", nullptr}};
    // These have places of their own in the document.
    return inOrder(std::move(skeleton), without(verifyReply, {"verdict", "reason", "advice", "precision",
                                                              "integrity", "doubts", "device", "task"}));
}

OrderedJson profileSection(const Json &profileReply) {
    OrderedJson skeleton{{"status", "not-run"},
                         {"seconds", nullptr},
                         {"method", nullptr},
                         {"clock", Json::array()},
                         {"blocks", Json::array()},
                         {"arms", allNull(armNames)},
                         {"speedOfLightMicroseconds", nullptr},
                         {"speedup", allNull(speedUpNames)}};
    const Json &profile = member(profileReply, "profile");
    OrderedJson section = inOrder(std::move(skeleton), profile);
    if (const Json &status = member(profileReply, "status"); status.is_string())
        section["status"] = status.get<std::string>();
    section["arms"] = inOrder(allNull(armNames), member(profile, "arms"));
    section["speedup"] = inOrder(allNull(speedUpNames), member(profile, "speedup"));
    for (auto &[name, found] : section["arms"].items()) {
        if (!number(found, "medianMicroseconds") || !number(found, "lowMicroseconds") ||
            !number(found, "highMicroseconds"))
            found = nullptr;
    }
    // JSON has no NaN: a number that could not be computed comes as null, and such a row says nothing.
    for (auto &[name, found] : section["speedup"].items()) {
        if (!number(found, "value") || !number(found, "low") || !number(found, "high"))
            found = nullptr;
    }
    return section;
}

OrderedJson integritySection(const Json &reply, const OrderedJson &before) {
    OrderedJson skeleton{{"status", "not-run"}, {"wall", nullptr}, {"findings", Json::array()}};
    OrderedJson section = inOrder(std::move(skeleton), member(reply, "integrity"));
    if (!before.is_object())
        return section;
    if (section["wall"].is_null())
        section["wall"] = before.value("wall", OrderedJson());
    OrderedJson findings = before.value("findings", OrderedJson::array());
    for (const OrderedJson &finding : section["findings"])
        findings.push_back(finding);
    section["findings"] = std::move(findings);
    if (statusOf(before) == StageStatus::Failed || statusOf(section) == StageStatus::NotRun)
        setStatus(section, statusOf(before));
    return section;
}

void setStatus(OrderedJson &section, StageStatus status) {
    section["status"] = statusName(status).toStdString();
}

StageStatus statusOf(const OrderedJson &section) {
    if (!section.is_object() || !section.contains("status") || !section["status"].is_string())
        return StageStatus::NotRun;
    return statusFromName(QString::fromStdString(section["status"].get<std::string>()))
        .value_or(StageStatus::NotRun);
}

QStringList doubtsIn(const Json &reply) {
    QStringList doubts;
    const Json &list = member(reply, "doubts");
    if (!list.is_array())
        return doubts;
    for (const Json &doubt : list)
        doubts.append(QString::fromStdString(doubt.is_string() ? doubt.get<std::string>() : doubt.dump()));
    return doubts;
}

namespace {

std::optional<ArmTiming> timingFrom(const OrderedJson &found) {
    const std::optional<double> median = number(found, "medianMicroseconds");
    if (!median)
        return std::nullopt;
    ArmTiming timing;
    timing.medianMicroseconds = *median;
    timing.lowMicroseconds = number(found, "lowMicroseconds").value_or(*median);
    timing.highMicroseconds = number(found, "highMicroseconds").value_or(*median);
    timing.samples = static_cast<int>(number(found, "samples").value_or(0));
    timing.isLive = found.contains("live") && found["live"].is_boolean() && found["live"].get<bool>();
    return timing;
}

} // namespace

std::optional<ArmTiming> armIn(const OrderedJson &profile, const char *arm) {
    return timingFrom(row(profile, "arms", arm));
}

std::optional<BesideTiming> besideIn(const OrderedJson &profile) {
    if (!profile.is_object() || !profile.contains("before"))
        return std::nullopt;
    const OrderedJson &before = profile["before"];
    if (statusOf(before) != StageStatus::Passed || !before.contains("arm") || !before.contains("ratio"))
        return std::nullopt;
    const std::optional<ArmTiming> arm = timingFrom(before["arm"]);
    const OrderedJson &ratio = before["ratio"];
    const auto value = number(ratio, "value"), low = number(ratio, "low"), high = number(ratio, "high");
    if (!arm || !value || !low || !high || !(*low > 0))
        return std::nullopt;
    return BesideTiming{stringIn(before, "textHash"), *arm, *value, *low, *high};
}

std::optional<SpeedUp> speedUpIn(const OrderedJson &profile, const char *name) {
    const OrderedJson found = row(profile, "speedup", name);
    const std::optional<double> value = number(found, "value");
    if (!value)
        return std::nullopt;
    SpeedUp speedUp;
    speedUp.value = *value;
    speedUp.low = number(found, "low").value_or(*value);
    speedUp.high = number(found, "high").value_or(*value);
    if (found.contains("arm") && found["arm"].is_string())
        speedUp.arm = QString::fromStdString(found["arm"].get<std::string>());
    return speedUp;
}

bool isCertifiedAsGraph(const OrderedJson &profile) {
    const auto certificate = profile.is_object() ? profile.find("certificate") : profile.end();
    return profile.is_object() && certificate != profile.end() &&
           stringIn(*certificate, "status") == QLatin1String("passed") &&
           stringIn(*certificate, "lane") == QLatin1String("graph") && profile.contains("graph");
}

const OrderedJson &headlineTimes(const OrderedJson &profile) {
    return isCertifiedAsGraph(profile) ? profile["graph"] : profile;
}

QString whyTimesAreNotWhole(const OrderedJson &profile) {
    for (const char *arm : {"candidate", "eager"}) {
        const OrderedJson found = row(profile, "arms", arm);
        for (const char *key : {"medianMicroseconds", "lowMicroseconds", "highMicroseconds"}) {
            const std::optional<double> time = number(found, key);
            if (!time || !(*time > 0) || !std::isfinite(*time))
                return QStringLiteral("%1.%2 is no time").arg(QLatin1String(arm), QLatin1String(key));
        }
    }
    for (const char *name : {"sameClass", "eager"}) {
        const OrderedJson found = row(profile, "speedup", name);
        for (const char *key : {"value", "low", "high"}) {
            const std::optional<double> factor = number(found, key);
            if (!factor || !(*factor > 0) || !std::isfinite(*factor))
                return QStringLiteral("speedup.%1.%2 is no number")
                    .arg(QLatin1String(name), QLatin1String(key));
        }
    }
    return {};
}

QString degeneracyIn(const OrderedJson &task) {
    if (!task.is_object() || !task.contains("degenerate"))
        return {};
    return stringIn(task["degenerate"], "reason");
}

RewardTimes rewardTimesIn(const OrderedJson &profile) {
    const auto median = [&profile](const char *arm) -> std::optional<double> {
        const std::optional<ArmTiming> timing = armIn(profile, arm);
        if (!timing || timing->medianMicroseconds <= 0)
            return std::nullopt;
        return timing->medianMicroseconds;
    };
    return RewardTimes{median("candidate"), median("eager"), median("compile")};
}

} // namespace warpwright
