// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/acp/acp_codec.h"

namespace warpwright {

/// Version 1, as its schema 1.19 has it.
class AcpCodecV1 : public AcpCodec {
public:
    [[nodiscard]] AcpFacts facts(const Json &greetingAnswer) const override;
    [[nodiscard]] Json newSession(const QString &folder, const AcpToolServer &tools) const override;
    [[nodiscard]] Json oldSession(const QString &session, const QString &folder,
                                  const AcpToolServer &tools) const override;
    [[nodiscard]] Result<QString> sessionIn(const Json &answer) const override;
    [[nodiscard]] Json prompt(const QString &session, const QString &text) const override;
    [[nodiscard]] AcpTurnEnd turnEnd(const Json &answer) const override;
    [[nodiscard]] AcpUpdate update(const Json &params) const override;
    [[nodiscard]] Result<AcpPermission> permission(const Json &params) const override;
    [[nodiscard]] Json permissionAnswer(const QString &option) const override;
    [[nodiscard]] Result<AcpReadFile> readFile(const Json &params) const override;
    [[nodiscard]] Result<AcpWriteFile> writeFile(const Json &params) const override;
    [[nodiscard]] Result<AcpCommand> command(const Json &params) const override;
    [[nodiscard]] Json commandOutput(const AcpCommandState &state) const override;
    [[nodiscard]] Json commandEnd(const AcpCommandState &state) const override;
};

} // namespace warpwright
