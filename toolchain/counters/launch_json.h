// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"

#include <string>
#include <unordered_map>

namespace warpwright {

/// Each text once: a document names the same hundred metrics and units for each of thousands of launches, and
/// QStrings that come from here share their letters.
class SharedTexts {
public:
    [[nodiscard]] QString of(const std::string &text);

private:
    std::unordered_map<std::string, QString> m_texts;
};

/// One launch of a document `warpwright.counters/1`. What is missing stays empty.
[[nodiscard]] KernelCounters launchFromJson(const Json &json, SharedTexts &texts);

} // namespace warpwright
