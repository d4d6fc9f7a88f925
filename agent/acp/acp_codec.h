// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/acp/acp_values.h"
#include "toolchain/base/result.h"

namespace warpwright {

/// Values of the Agent Client Protocol to and from the JSON of one version of it.
///
/// Optional fields of another kind than they should have are taken as absent; without a field that is needed
/// there is an error, one part of a sentence.
class AcpCodec {
public:
    virtual ~AcpCodec() = default;

    static constexpr int newestVersion = 1;
    /// How every version begins. `runsCommands`: terminal/* is answered.
    [[nodiscard]] static Json greeting(const QString &programVersion, bool runsCommands);
    /// The version that it wants to speak; empty: it does not say.
    [[nodiscard]] static std::optional<int> versionIn(const Json &greetingAnswer);

    [[nodiscard]] virtual AcpFacts facts(const Json &greetingAnswer) const = 0;
    [[nodiscard]] virtual Json newSession(const QString &folder, const AcpToolServer &tools) const = 0;
    [[nodiscard]] virtual Json oldSession(const QString &session, const QString &folder,
                                          const AcpToolServer &tools) const = 0;
    [[nodiscard]] virtual Result<QString> sessionIn(const Json &answer) const = 0;
    [[nodiscard]] virtual Json prompt(const QString &session, const QString &text) const = 0;
    [[nodiscard]] virtual AcpTurnEnd turnEnd(const Json &answer) const = 0;
    [[nodiscard]] virtual AcpUpdate update(const Json &params) const = 0;

    [[nodiscard]] virtual Result<AcpPermission> permission(const Json &params) const = 0;
    /// `option`: empty: the question was taken away.
    [[nodiscard]] virtual Json permissionAnswer(const QString &option) const = 0;
    [[nodiscard]] virtual Result<AcpReadFile> readFile(const Json &params) const = 0;
    [[nodiscard]] virtual Result<AcpWriteFile> writeFile(const Json &params) const = 0;
    [[nodiscard]] virtual Result<AcpCommand> command(const Json &params) const = 0;
    [[nodiscard]] virtual Json commandOutput(const AcpCommandState &state) const = 0;
    [[nodiscard]] virtual Json commandEnd(const AcpCommandState &state) const = 0;
};

} // namespace warpwright
