// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/base/report_text.h"

#include <cmath>
#include <cstdio>

namespace warpwright {

Json numberOrWord(double value) {
    return std::isfinite(value) ? Json(value)
                                : Json(std::isnan(value) ? "NaN"
                                       : value > 0       ? "Infinity"
                                                         : "-Infinity");
}

std::string percent(double fraction) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g %%", fraction * 100.0);
    return text;
}

std::string scientific(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

std::string actualAndExpected(double actual, double expected) {
    for (int digits = 3; digits <= 9; ++digits) {
        char texts[2][32];
        std::snprintf(texts[0], sizeof texts[0], "%.*g", digits, actual);
        std::snprintf(texts[1], sizeof texts[1], "%.*g", digits, expected);
        if (std::string(texts[0]) != texts[1] || digits == 9)
            return std::string(texts[0]) + ", expected " + texts[1];
    }
    return {};
}

std::string indexText(const std::vector<int64_t> &index) {
    std::string text = "[";
    for (size_t i = 0; i < index.size(); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(index[i]);
    return text + "]";
}

} // namespace warpwright
