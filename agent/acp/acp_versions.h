// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/acp/acp_codec.h"

namespace warpwright {

/// The codec of a version of the protocol, apart from the interface that every codec has; nullptr: we do not
/// speak it.
[[nodiscard]] const AcpCodec *acpCodecOf(int protocolVersion);

} // namespace warpwright
