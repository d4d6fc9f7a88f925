// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/acp/acp_versions.h"

#include "agent/acp/acp_codec_v1.h"

namespace warpwright {

const AcpCodec *acpCodecOf(int protocolVersion) {
    static const AcpCodecV1 first;
    return protocolVersion == 1 ? &first : nullptr;
}

} // namespace warpwright
