// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/model_profile.h"
#include "toolchain/base/profile_list.h"

namespace warpwright {

template <>
struct ProfileKind<ModelProfile> {
    static constexpr const char *one = "model";
    static constexpr const char *many = "models";
    static Json toJson(const ModelProfile &profile) { return modelProfileToJson(profile); }
    static Result<ModelProfile> fromJson(const Json &json) { return modelProfileFromJson(json); }
};

/// The models that a person has set up, in <config>/models.json.
using ModelProfiles = ProfileList<ModelProfile>;

} // namespace warpwright
