// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/prediction.h"

#include <cmath>

namespace warpwright {

namespace {

std::optional<double> ratioIn(const Json &json, const char *key) {
    if (!json.is_object())
        return std::nullopt;
    const auto found = json.find(key);
    if (found == json.end() || !found->is_number())
        return std::nullopt;
    const double ratio = found->get<double>();
    return std::isfinite(ratio) && ratio > 0 ? std::optional(ratio) : std::nullopt;
}

} // namespace

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
    return json;
}

Prediction predictionFromJson(const Json &json) {
    return {ratioIn(json, "timeRatio"), ratioIn(json, "low"), ratioIn(json, "high"), stringIn(json, "words")};
}

} // namespace warpwright
