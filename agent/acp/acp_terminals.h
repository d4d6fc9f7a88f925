// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/acp/acp_sandbox.h"
#include "agent/acp/acp_values.h"
#include "toolchain/process/child_process.h"

#include <QObject>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace warpwright {

/// The commands that an external agent has us run («terminals»): in the sandbox, without a network, in its
/// work folder. Of each the last output is kept. Destroying it, and release(), kill what runs.
class AcpTerminals : public QObject {
    Q_OBJECT
public:
    using Ended = std::function<void(const AcpCommandState &state)>;

    AcpTerminals(AcpSandbox sandbox, QString folder, QObject *parent = nullptr);
    ~AcpTerminals() override;

    /// Its id. An error for the agent where it may not run, or too many do.
    [[nodiscard]] Result<QString> create(const AcpCommand &command);
    /// Empty: there is none of this id.
    [[nodiscard]] std::optional<AcpCommandState> state(const QString &id) const;
    /// Later, also when it has ended already. False: there is none of this id.
    [[nodiscard]] bool waitFor(const QString &id, Ended ended);
    [[nodiscard]] bool kill(const QString &id);
    [[nodiscard]] bool release(const QString &id);

    static constexpr int mostTerminals = 32;

private:
    struct Terminal;
    void take(Terminal &terminal, const QByteArray &bytes);
    void end(Terminal &terminal);

    AcpSandbox m_sandbox;
    QString m_folder;
    int m_last = 0;
    std::map<QString, std::unique_ptr<Terminal>> m_terminals;
};

} // namespace warpwright
