// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/workspace/candidate_texts.h"

namespace warpwright {

/// What a candidate's text says of its `CONFIG…` attributes: which value stands in it, and of which kernel.
/// It is read, not run: what is computed, or said twice in different ways, is not known.
struct StatedConfigs {
    bool namesChoices = false;          ///< there is a `CHOICES` that a sweep would ask for
    std::map<QString, int> values;      ///< by attribute
    std::map<QString, QString> kernels; ///< by attribute, where the comment behind it says "see launchRows"

    bool operator==(const StatedConfigs &) const = default;
};

/// From model_new.py; without it nothing is known.
[[nodiscard]] StatedConfigs statedConfigs(const CandidateTexts &texts);

} // namespace warpwright
