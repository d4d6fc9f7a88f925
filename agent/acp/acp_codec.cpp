// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/acp/acp_codec.h"

namespace warpwright {

Json AcpCodec::greeting(const QString &programVersion, bool runsCommands) {
    return Json{{"protocolVersion", newestVersion},
                {"clientCapabilities",
                 {{"fs", {{"readTextFile", true}, {"writeTextFile", true}}},
                  {"terminal", runsCommands},
                  {"auth", {{"terminal", true}}}}}, // where it signs in by a command we name that
                {"clientInfo",
                 {{"name", "warpwright"}, {"title", "Warpwright"}, {"version", toJson(programVersion)}}}};
}

std::optional<int> AcpCodec::versionIn(const Json &greetingAnswer) {
    if (!greetingAnswer.is_object())
        return std::nullopt;
    const auto version = greetingAnswer.find("protocolVersion");
    return version != greetingAnswer.end() && version->is_number_integer()
               ? std::optional(version->get<int>())
               : std::nullopt;
}

} // namespace warpwright
