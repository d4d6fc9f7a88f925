// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/history/iteration.h"

#include <QString>
#include <QStringList>

namespace warpwright {

/// Which agent is meant: its kind, and of a model or of another program the name under which it is set up.
/// As a text, on a command line, "playbook", "script", "model:NAME", "acp:NAME": read and written here alone.
struct AgentName {
    AuthorKind kind = AuthorKind::You; ///< You and others that begin no run: none is meant
    QString name;                      ///< of its profile; of the others it says nothing

    [[nodiscard]] static AgentName fromText(const QString &text);
    /// Of a text that means no agent: the text itself.
    [[nodiscard]] QString text() const;
    /// A run can be begun by it; it need not be set up.
    [[nodiscard]] bool isAgent() const;
    /// There are several of its kind, each set up under a name.
    [[nodiscard]] bool isNamed() const { return kind == AuthorKind::Model || kind == AuthorKind::Acp; }
    bool operator==(const AgentName &) const = default;
};

/// "acp:NAME", "model:NAME", "playbook", "script".
[[nodiscard]] QStringList agentForms();

} // namespace warpwright
