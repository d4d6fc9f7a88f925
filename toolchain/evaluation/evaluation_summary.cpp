// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/evaluation/evaluation_summary.h"

namespace warpwright {
namespace {

double numberIn(const Json &object, const char *key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

std::optional<SpeedUp> speedUpFrom(const Json &json, const char *key) {
    const auto found = json.find(key);
    if (found == json.end() || !found->is_object())
        return std::nullopt;
    return SpeedUp{numberIn(*found, "value"), numberIn(*found, "low"), numberIn(*found, "high"),
                   stringIn(*found, "arm")};
}

Json speedUpToJson(const SpeedUp &speedUp) {
    return {
        {"value", speedUp.value}, {"low", speedUp.low}, {"high", speedUp.high}, {"arm", toJson(speedUp.arm)}};
}

Json armToJson(const ArmTiming &arm) {
    return {{"median", arm.medianMicroseconds},
            {"low", arm.lowMicroseconds},
            {"high", arm.highMicroseconds},
            {"samples", arm.samples},
            {"live", arm.isLive}};
}

ArmTiming armFrom(const Json &json) {
    const auto live = json.find("live");
    return {numberIn(json, "median"), numberIn(json, "low"), numberIn(json, "high"),
            static_cast<int>(numberIn(json, "samples")),
            live != json.end() && live->is_boolean() && live->get<bool>()};
}

/// "torch 2.11.0+cu130, CUDA 13.0, driver 580.95": another version is another baseline.
QString softwareOf(const OrderedJson &environment) {
    QStringList words;
    for (const auto &[key, name] : {std::pair{"torch", "torch"}, {"torchCuda", "CUDA"}, {"driver", "driver"}})
        if (const QString version = stringIn(environment, key); !version.isEmpty())
            words << QStringLiteral("%1 %2").arg(QLatin1String(name), version);
    return words.join(QStringLiteral(", "));
}

} // namespace

bool isFaster(const Pace &one, const Pace &other) {
    if (one.overEager && other.overEager)
        return *one.overEager > *other.overEager;
    return one.medianMicroseconds < other.medianMicroseconds;
}

bool isOutdone(const EvaluationSummary &best, const EvaluationSummary &undecided) {
    return undecided.verdict == Verdict::Inconclusive && undecided.candidate && best.candidate &&
           whyNotComparable(best, undecided).isEmpty() &&
           undecided.candidate->highMicroseconds < best.candidate->lowMicroseconds;
}

std::optional<Pace> paceOf(const EvaluationSummary &summary) {
    const bool isRepeat = summary.unexercised && summary.unexercised->isKept;
    if (summary.verdict != Verdict::Pass || !summary.candidate || isRepeat)
        return std::nullopt;
    return Pace{summary.candidate->medianMicroseconds,
                summary.eager ? std::optional(summary.eager->value) : std::nullopt};
}

QString whyNotComparable(const EvaluationSummary &one, const EvaluationSummary &other) {
    if (one.device != other.device)
        return QStringLiteral("measured on different devices");
    if (one.software != other.software && !one.software.isEmpty() && !other.software.isEmpty())
        return QStringLiteral("measured with %1, and with %2").arg(one.software, other.software);
    return {};
}

bool tellsLess(const EvaluationSummary &newer, const EvaluationSummary &older) {
    const auto isOfText = [](Verdict verdict) {
        return verdict != Verdict::Environment && verdict != Verdict::Usage && verdict != Verdict::Cancelled;
    };
    if (!isOfText(older.verdict) || older.verdict == Verdict::NotRun)
        return false;
    const bool isFault =
        isOfText(newer.verdict) && (exitCodeFor(newer.verdict) == 1 || exitCodeFor(newer.verdict) == 3);
    return !isOfText(newer.verdict) || (newer.lastStage < older.lastStage && !isFault);
}

EvaluationSummary summaryOf(const Evaluation &evaluation) {
    EvaluationSummary summary;
    summary.id = evaluation.id;
    summary.startedAt = evaluation.startedAt;
    summary.verdict = evaluation.verdict;
    summary.reward = evaluation.reward;
    summary.tier = evaluation.tier;
    summary.lastStage = evaluation.lastStage;
    summary.device = stringIn(evaluation.device, "name");
    summary.software = softwareOf(evaluation.environment);
    summary.eager = speedUpIn(evaluation.profile, "eager");
    summary.sameClass = speedUpIn(headlineTimes(evaluation.profile), "sameClass");
    summary.candidate = armIn(evaluation.profile, "candidate");
    if (const auto eager = armIn(evaluation.profile, "eager");
        eager && eager->isLive && eager->medianMicroseconds > 0)
        summary.eagerMicroseconds = eager->medianMicroseconds;
    summary.textHash = stringIn(evaluation.workspace, "textHash");
    summary.beside = besideIn(evaluation.profile);
    summary.doubts = evaluation.doubts;
    summary.ranHash = stringIn(evaluation.workspace, "ranHash");
    summary.notRun = notRun(evaluation.exercised);
    summary.unexercised = evaluation.unexercised;
    return summary;
}

Json summaryToJson(const EvaluationSummary &summary) {
    Json json{{"id", toJson(summary.id)},
              {"startedAt", toJson(summary.startedAt.toUTC().toString(Qt::ISODateWithMs))},
              {"verdict", toJson(verdictName(summary.verdict))},
              {"tier", toJson(tierName(summary.tier))},
              {"stages", toJson(stageNames(summary.lastStage).join(QLatin1Char(',')))},
              {"device", toJson(summary.device)},
              {"doubts", stringsToJson<Json>(summary.doubts)}};
    if (!summary.software.isEmpty())
        json["software"] = toJson(summary.software);
    if (summary.reward)
        json["reward"] = *summary.reward;
    if (summary.eager)
        json["eager"] = speedUpToJson(*summary.eager);
    if (summary.sameClass)
        json["sameClass"] = speedUpToJson(*summary.sameClass);
    if (summary.candidate)
        json["candidate"] = armToJson(*summary.candidate);
    if (summary.eagerMicroseconds)
        json["eagerMicroseconds"] = *summary.eagerMicroseconds;
    if (!summary.textHash.isEmpty())
        json["textHash"] = toJson(summary.textHash);
    if (summary.beside)
        json["beside"] = {{"textHash", toJson(summary.beside->textHash)},
                          {"before", armToJson(summary.beside->before)},
                          {"value", summary.beside->value},
                          {"low", summary.beside->low},
                          {"high", summary.beside->high}};
    if (!summary.ranHash.isEmpty())
        json["ranHash"] = toJson(summary.ranHash);
    if (!summary.notRun.empty())
        json["notRun"] = Json(toJson(summary.notRun));
    if (summary.unexercised)
        json["unexercised"] = Json(toJson(*summary.unexercised));
    return json;
}

std::optional<EvaluationSummary> summaryFromJson(const Json &json) {
    const std::optional<Verdict> verdict = verdictFromName(stringIn(json, "verdict"));
    EvaluationSummary summary;
    summary.id = stringIn(json, "id");
    if (summary.id.isEmpty() || !verdict)
        return std::nullopt;
    summary.verdict = *verdict;
    summary.startedAt = QDateTime::fromString(stringIn(json, "startedAt"), Qt::ISODateWithMs);
    summary.tier = tierFromName(stringIn(json, "tier")).value_or(Tier::Quick);
    if (const Result<LastStage> last = parseStages(stringIn(json, "stages")); last.hasValue())
        summary.lastStage = last.value();
    summary.device = stringIn(json, "device");
    summary.software = stringIn(json, "software");
    if (const auto reward = json.find("reward"); reward != json.end() && reward->is_number_integer())
        summary.reward = reward->get<int>();
    summary.eager = speedUpFrom(json, "eager");
    summary.sameClass = speedUpFrom(json, "sameClass");
    if (const auto arm = json.find("candidate"); arm != json.end() && arm->is_object())
        summary.candidate = armFrom(*arm);
    if (const double eager = numberIn(json, "eagerMicroseconds"); eager > 0)
        summary.eagerMicroseconds = eager;
    summary.textHash = stringIn(json, "textHash");
    if (const auto beside = json.find("beside"); beside != json.end() && beside->is_object()) {
        const auto before = beside->find("before");
        if (before != beside->end() && before->is_object())
            summary.beside =
                BesideTiming{stringIn(*beside, "textHash"), armFrom(*before), numberIn(*beside, "value"),
                             numberIn(*beside, "low"), numberIn(*beside, "high")};
    }
    if (const auto doubts = json.find("doubts"); doubts != json.end())
        summary.doubts = stringsIn(*doubts);
    summary.ranHash = stringIn(json, "ranHash");
    summary.notRun = exercisedFilesFromJson(OrderedJson(json.value("notRun", Json())));
    summary.unexercised = unexercisedFromJson(OrderedJson(json.value("unexercised", Json())));
    return summary;
}

} // namespace warpwright
