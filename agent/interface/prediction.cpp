// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/interface/prediction.h"

#include "toolchain/base/figures.h"

#include <cmath>

namespace warpwright {

namespace {

std::optional<double> positiveIn(const Json &json, const char *key) {
    if (!json.is_object())
        return std::nullopt;
    const auto found = json.find(key);
    if (found == json.end() || !found->is_number())
        return std::nullopt;
    const double number = found->get<double>();
    return std::isfinite(number) && number > 0 ? std::optional(number) : std::nullopt;
}

std::optional<double> ratioIn(const Json &json, const char *key) {
    const std::optional<double> number = positiveIn(json, key);
    return number && *number >= timeRatioAtLeast && *number <= timeRatioAtMost ? number : std::nullopt;
}

} // namespace

std::optional<double> Prediction::differenceMicroseconds() const {
    return timeRatio && beforeMicroseconds ? std::optional((*timeRatio - 1) * *beforeMicroseconds)
                                           : std::nullopt;
}

QString promisedWords(const Prediction &prediction) {
    if (!prediction.timeRatio)
        return {};
    const QString words = QStringLiteral("%1 of the time").arg(percentText(*prediction.timeRatio));
    const std::optional<double> difference = prediction.differenceMicroseconds();
    if (!difference)
        return words;
    const TimeScale scale = timeScaleOf(*prediction.beforeMicroseconds);
    return words + QStringLiteral(", %1 %2 of %3")
                       .arg(signedText(*difference / scale.unitMicroseconds, scale.decimals), scale.unit,
                            timeText(*prediction.beforeMicroseconds));
}

Json predictionToJson(const Prediction &prediction) {
    Json json = Json::object();
    if (prediction.timeRatio)
        json["timeRatio"] = *prediction.timeRatio;
    if (prediction.low)
        json["low"] = *prediction.low;
    if (prediction.high)
        json["high"] = *prediction.high;
    if (!prediction.words.isEmpty())
        json["words"] = toJson(prediction.words);
    if (prediction.beforeMicroseconds)
        json["beforeMicroseconds"] = *prediction.beforeMicroseconds;
    return json;
}

Prediction predictionFromJson(const Json &json) {
    return {ratioIn(json, "timeRatio"), ratioIn(json, "low"), ratioIn(json, "high"), stringIn(json, "words"),
            positiveIn(json, "beforeMicroseconds")};
}

} // namespace warpwright
