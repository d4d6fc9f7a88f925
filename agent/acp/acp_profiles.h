// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/acp/acp_profile.h"
#include "toolchain/base/profile_list.h"

namespace warpwright {

template <>
struct ProfileKind<AcpProfile> {
    static constexpr const char *one = "agent";
    static constexpr const char *many = "agents";
    static Json toJson(const AcpProfile &profile) { return acpProfileToJson(profile); }
    static Result<AcpProfile> fromJson(const Json &json) { return acpProfileFromJson(json); }
};

/// The external agents that a person has set up, in <config>/agents.json.
using AcpProfiles = ProfileList<AcpProfile>;

/// The one that is set up under this name, else the known agent of it. An error for people where there is
/// neither.
[[nodiscard]] Result<AcpProfile> acpProfileNamed(const QString &name, const DataFolders &folders);

} // namespace warpwright
