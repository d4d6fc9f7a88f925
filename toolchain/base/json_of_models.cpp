// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/json_of_models.h"

namespace warpwright {
namespace {

QByteArray mended(const QByteArray &text) {
    QByteArray valid = QString::fromUtf8(text).toUtf8();
    const auto unitAt = [&valid](qsizetype at) -> uint {
        bool isHex = false;
        const uint unit =
            valid.mid(at, 2) == "\\u" && at + 6 <= valid.size() ? valid.mid(at + 2, 4).toUInt(&isHex, 16) : 0;
        return isHex ? unit : 0;
    };
    const auto isHigh = [](uint unit) {
        return unit >= 0xD800 && unit <= 0xDBFF;
    };
    const auto isLow = [](uint unit) {
        return unit >= 0xDC00 && unit <= 0xDFFF;
    };
    for (qsizetype at = valid.indexOf('\\'); at >= 0; at = valid.indexOf('\\', at)) {
        const uint unit = unitAt(at);
        const bool isPair = isHigh(unit) && isLow(unitAt(at + 6));
        if (!isPair && (isHigh(unit) || isLow(unit)))
            valid.replace(at + 2, 4, "FFFD");
        at += isPair ? 12 : unit != 0 ? 6 : 2;
    }
    return valid;
}

} // namespace

Result<Json> parseJsonOfModels(const QByteArray &text) {
    Result<Json> json = parseJson(text);
    return json.hasValue() ? json : parseJson(mended(text));
}

} // namespace warpwright
