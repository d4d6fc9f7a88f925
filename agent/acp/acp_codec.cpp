// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/acp/acp_codec.h"

#include "agent/acp/acp_codec_v1.h"

namespace warpwright {

const AcpCodec *AcpCodec::of(int protocolVersion) {
    static const AcpCodecV1 first;
    return protocolVersion == 1 ? &first : nullptr;
}

Json AcpCodec::greeting(const QString &programVersion, bool runsCommands) {
    return Json{{"protocolVersion", newestVersion},
                {"clientCapabilities",
                 {{"fs", {{"readTextFile", true}, {"writeTextFile", true}}},
                  {"terminal", runsCommands},
                  {"auth", {{"terminal", true}}}}}, // where it signs in by a command we name that
                {"clientInfo",
                 {{"name", "warpwright"}, {"title", "Warpwright"}, {"version", toJson(programVersion)}}}};
}

int AcpCodec::versionIn(const Json &greetingAnswer) {
    if (!greetingAnswer.is_object())
        return 0;
    const auto version = greetingAnswer.find("protocolVersion");
    return version != greetingAnswer.end() && version->is_number_integer() ? version->get<int>() : 0;
}

} // namespace warpwright
