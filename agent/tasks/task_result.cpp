// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tasks/task_result.h"

#include "toolchain/evaluation/measured_figures.h"

#include <algorithm>

namespace warpwright {
namespace {

OrderedJson orNull(const std::optional<double> &value) {
    return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

OrderedJson speedUpToJson(const std::optional<SpeedUp> &speedUp) {
    if (!speedUp)
        return nullptr;
    return {{"value", speedUp->value},
            {"low", speedUp->low},
            {"high", speedUp->high},
            {"arm", toJson(speedUp->arm)}};
}

std::optional<double> numberIn(const OrderedJson &object, const char *key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

const OrderedJson &memberOf(const OrderedJson &object, const char *key) {
    static const OrderedJson none = OrderedJson::object();
    const auto found = object.find(key);
    return found != object.end() && found->is_object() ? *found : none;
}

std::optional<SpeedUp> speedUpFrom(const OrderedJson &object, const char *key) {
    const OrderedJson &json = memberOf(object, key);
    const auto value = numberIn(json, "value");
    if (!value)
        return std::nullopt;
    return SpeedUp{*value, numberIn(json, "low").value_or(*value), numberIn(json, "high").value_or(*value),
                   stringIn(json, "arm")};
}

OrderedJson usedToJson(const std::optional<RunMeter> &used) {
    if (!used)
        return nullptr;
    return {{"tokensIn", used->tokensIn},         {"tokensOut", used->tokensOut},
            {"tokensCached", used->tokensCached}, {"cost", used->cost},
            {"currency", toJson(used->currency)}, {"isEstimated", used->isEstimated}};
}

std::optional<RunMeter> usedFrom(const OrderedJson &json) {
    if (!json.contains("tokensIn")) // it called no model
        return std::nullopt;
    RunMeter used;
    used.tokensIn = static_cast<qint64>(numberIn(json, "tokensIn").value_or(0));
    used.tokensOut = static_cast<qint64>(numberIn(json, "tokensOut").value_or(0));
    used.tokensCached = static_cast<qint64>(numberIn(json, "tokensCached").value_or(0));
    used.cost = numberIn(json, "cost").value_or(0);
    used.currency = stringIn(json, "currency");
    used.isEstimated = json.contains("isEstimated") && json["isEstimated"] == true;
    return used;
}

} // namespace

QString taskVerdictName(TaskVerdict verdict) {
    switch (verdict) {
    case TaskVerdict::Pass:
        return QStringLiteral("pass");
    case TaskVerdict::Inconclusive:
        return QStringLiteral("inconclusive");
    case TaskVerdict::Failed:
        return QStringLiteral("failed");
    case TaskVerdict::Cannot:
        return QStringLiteral("cannot");
    case TaskVerdict::NotRun:
        break;
    }
    return QStringLiteral("not-run");
}

QString TaskTerms::whyNotWith(const TaskTerms &other) const {
    const auto differ = [](const char *what, const QString &one, const QString &two) {
        return QStringLiteral("%1 «%2» and «%3»").arg(QLatin1String(what), one, two);
    };
    if (agent != other.agent)
        return differ("agents", agent, other.agent);
    if (device != other.device)
        return differ("devices", device, other.device);
    if (!deviceName.isEmpty() && !other.deviceName.isEmpty() && deviceName != other.deviceName)
        return differ("devices", deviceName, other.deviceName);
    if (tier != other.tier)
        return differ("tiers", tier, other.tier);
    if (isSmall != other.isSmall)
        return QStringLiteral("small and full size");
    return {};
}

void takeNumbers(TaskResult &result, const Evaluation &evaluation) {
    const MeasuredFigures figures = headlineFigures(measuredFigures(evaluation));
    result.eager = figures.eager;
    result.compile = figures.compile;
    result.sameClass = figures.sameClass;
    if (const auto share = figures.shareOfLight())
        result.shareOfLight = share->value;
    if (figures.candidate() != nullptr)
        result.candidateMicroseconds = figures.candidate()->medianMicroseconds;
}

OrderedJson taskResultToJson(const TaskResult &result) {
    OrderedJson moves = OrderedJson::array();
    for (const TaskMove &move : result.moves)
        moves.push_back({{"move", toJson(move.move)},
                         {"title", toJson(move.title)},
                         {"outcome", toJson(move.outcome)},
                         {"timeRatio", orNull(move.timeRatio)}});
    return {{"name", toJson(result.name)},
            {"kind", toJson(result.kind)},
            {"split", toJson(result.split)},
            {"verdict", toJson(taskVerdictName(result.verdict))},
            {"why", toJson(result.why)},
            {"seconds", result.seconds},
            {"speedup",
             {{"eager", speedUpToJson(result.eager)},
              {"compile", speedUpToJson(result.compile)},
              {"sameClass", speedUpToJson(result.sameClass)}}},
            {"speedOfLightFraction", orNull(result.shareOfLight)},
            {"candidateMicroseconds", orNull(result.candidateMicroseconds)},
            {"moves", moves},
            {"used", usedToJson(result.used)},
            {"agent", toJson(result.settings.agent)},
            {"device", toJson(result.settings.device)},
            {"deviceName", toJson(result.settings.deviceName)},
            {"tier", toJson(result.settings.tier)},
            {"small", result.settings.isSmall},
            {"program", toJson(result.settings.program)}};
}

Result<TaskResult> taskResultFromJson(const OrderedJson &json) {
    using Answer = Result<TaskResult>;
    TaskResult result;
    result.name = stringIn(json, "name");
    const QString word = stringIn(json, "verdict");
    const auto verdict = std::find_if(std::begin(taskVerdicts), std::end(taskVerdicts),
                                      [&word](TaskVerdict some) { return taskVerdictName(some) == word; });
    if (result.name.isEmpty() || verdict == std::end(taskVerdicts))
        return Answer::error(QStringLiteral("it has no name, or no verdict that is known here"));
    result.verdict = *verdict;
    result.kind = stringIn(json, "kind");
    result.split = stringIn(json, "split");
    result.why = stringIn(json, "why");
    result.seconds = numberIn(json, "seconds").value_or(0);
    const OrderedJson &speedUp = memberOf(json, "speedup");
    result.eager = speedUpFrom(speedUp, "eager");
    result.compile = speedUpFrom(speedUp, "compile");
    result.sameClass = speedUpFrom(speedUp, "sameClass");
    result.shareOfLight = numberIn(json, "speedOfLightFraction");
    result.candidateMicroseconds = numberIn(json, "candidateMicroseconds");
    result.used = usedFrom(memberOf(json, "used"));
    if (const auto moves = json.find("moves"); moves != json.end() && moves->is_array())
        for (const OrderedJson &move : *moves)
            result.moves.push_back({stringIn(move, "move"), stringIn(move, "title"),
                                    stringIn(move, "outcome"),
                                    move.is_object() ? numberIn(move, "timeRatio") : std::nullopt});
    result.settings = {stringIn(json, "agent"),
                       stringIn(json, "device"),
                       stringIn(json, "deviceName"),
                       stringIn(json, "tier"),
                       json.contains("small") && json["small"] == true,
                       stringIn(json, "program")};
    return Answer::ok(std::move(result));
}

} // namespace warpwright
